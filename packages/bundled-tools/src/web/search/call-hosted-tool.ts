import type { PosternError } from "@postern/errors";
import type { SafeResponse } from "@postern/safe-fetch";
import { isJsonObject, type JsonObject } from "@postern/tool";
import { readVersion } from "../../version.js";
import { webSearchErrors } from "./errors.js";
import type { Fetch } from "./lazy-fetch.js";
import { openAnswer } from "./open-answer.js";
import { readOutcome, type Outcome } from "./read-messages.js";
import type { TimeLimit } from "./time-limit.js";

/** A tool of a hosted MCP server. */
export interface HostedCall {
  readonly endpoint: string;
  readonly headers: Headers;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Takes the key out of what the server says. */
  readonly hide: (text: string) => string;
}

/** What the tool answered. */
export interface HostedAnswer {
  /** Structured content, or its text when that is a JSON object. */
  readonly data: JsonObject | undefined;
  /** Its text parts, joined. */
  readonly text: string;
}

type Headers = Readonly<Record<string, string>>;
type Post = (message: JsonObject, more?: Headers) => Promise<SafeResponse>;

const protocolVersion = "2025-06-18";
const defaultRetryAfterMs = 60_000;

/**
 * Calls a tool of a hosted MCP server (streamable HTTP): one POST, and three more only when it demands a session.
 *
 * @param fetch - What fetches.
 * @param call - Where and what.
 * @param limit - The time there is, for everything.
 * @returns What the tool answered.
 * @throws {PosternError} `PROVIDER_RATE_LIMITED`, `PROVIDER_STATUS`, `PROVIDER_REFUSED`, `PROVIDER_MALFORMED`, and
 *   the codes of a safe fetch
 */
export async function callHostedTool(
  fetch: Fetch,
  call: HostedCall,
  limit: TimeLimit,
): Promise<HostedAnswer> {
  const post: Post = (message, more) =>
    openAnswer(fetch, toQuestion(call, { jsonrpc: "2.0", ...message }, more), limit);
  const first = await readOutcome(await post(toCallMessage(call, 1)), 1);
  if (!isSessionDemanded(first)) return toAnswer(first, call);
  const session = await openSession(post, call);
  return toAnswer(await readOutcome(await post(toCallMessage(call, 2), session), 2), call);
}

function toQuestion(
  { endpoint, headers }: HostedCall,
  message: JsonObject,
  more: Headers | undefined,
): { readonly url: URL; readonly headers: Headers; readonly body: string } {
  return {
    url: new URL(endpoint),
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...headers,
      ...more,
    },
    body: JSON.stringify(message),
  };
}

function toCallMessage({ tool, arguments: args }: HostedCall, id: number): JsonObject {
  return { id, method: "tools/call", params: { name: tool, arguments: args } };
}

/** Servers word it each in their way: 400 or 404, or an error with 200, that speaks of a session or of initializing. */
function isSessionDemanded({ status, reply }: Outcome): boolean {
  if (status === 401 || status === 403 || status >= 500) return false;
  return /session|initiali[sz]/i.test(readMessage(reply?.["error"]));
}

/** The handshake of MCP; gives the headers by which the session is known from then on. */
async function openSession(post: Post, call: HostedCall): Promise<Headers> {
  const response = await post({
    id: 0,
    method: "initialize",
    params: {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: "postern", version: readVersion() },
    },
  });
  const id = response.headers.get("mcp-session-id");
  const agreed = readResult(await readOutcome(response, 0), call)["protocolVersion"];
  const headers = {
    "mcp-protocol-version": typeof agreed === "string" ? agreed : protocolVersion,
    ...(id === null ? {} : { "mcp-session-id": id }),
  };
  const told = await post({ method: "notifications/initialized" }, headers);
  await told.close();
  if (told.status >= 400) throw webSearchErrors.PROVIDER_STATUS({ status: told.status });
  return headers;
}

function toAnswer(outcome: Outcome, call: HostedCall): HostedAnswer {
  const result = readResult(outcome, call);
  const text = readText(result["content"]);
  if (result["isError"] === true) throw toRefusal(call.hide(text));
  const structured = result["structuredContent"];
  return { data: isJsonObject(structured) ? structured : parseObject(text), text };
}

function readResult({ status, reply }: Outcome, { hide }: HostedCall): JsonObject {
  const isFailed = status < 200 || status > 299;
  if (reply?.["error"] !== undefined) {
    const error = toRefusal(hide(readMessage(reply["error"])));
    throw isFailed && error.code === "PROVIDER_REFUSED"
      ? webSearchErrors.PROVIDER_STATUS({ status })
      : error;
  }
  if (isFailed) throw webSearchErrors.PROVIDER_STATUS({ status });
  const result = reply?.["result"];
  if (isJsonObject(result)) return result;
  throw webSearchErrors.PROVIDER_MALFORMED({ problem: "no message in it answers the call" });
}

/** Free tiers answer 200 and say only in words that it was too much. */
function toRefusal(reason: string): PosternError {
  return /rate.?limit|too many requests|\b429\b|quota/i.test(reason)
    ? webSearchErrors.PROVIDER_RATE_LIMITED({ retryAfterMs: defaultRetryAfterMs })
    : webSearchErrors.PROVIDER_REFUSED({ reason: reason.trim().slice(0, 200) });
}

function readMessage(error: unknown): string {
  const message = isJsonObject(error) ? error["message"] : undefined;
  return typeof message === "string" ? message : "";
}

function readText(content: unknown): string {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  return parts
    .map((part) => (isJsonObject(part) && part["type"] === "text" ? part["text"] : undefined))
    .filter((text) => typeof text === "string")
    .join("\n");
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
