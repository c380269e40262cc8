import { isPosternError } from "@postern/errors";
import {
  createCallContext,
  errorResult,
  isJsonObject,
  toolErrors,
  type CallContext,
  type CallOutcome,
  type JsonObject,
  type Listing,
  type ToolCall,
} from "@postern/tool";
import { describeFailure } from "../connection/describe-failure.js";
import { cleanResult, toForwardedMeta } from "../connection/envelope.js";
import { readParamHeaders, toParamHeaders, type ParamHeader } from "../connection/param-headers.js";
import { timedOut, type Reply } from "../connection/wire.js";
import type { Connection } from "../connection/connection.js";
import { poolErrors } from "../errors.js";

/** How one request is sent to a server. */
export interface ServerRequest {
  readonly server: string;
  readonly connection: Connection;
  /** The server is our own bundled one, started by us: what our gate granted is for it. */
  readonly isOurs: boolean;
  readonly method: string;
  readonly params: JsonObject;
  readonly context: CallContext;
  /** 0: no limit. */
  readonly timeoutMs: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** What a context reports progress to when nobody asked for it: then the server is not asked either. */
const ignoreProgress = createCallContext().progress;

/** How much of what a server says in an error is passed on. */
const maxServerText = 4_000;

/** Sends a request, with what of its context may cross to the server. */
export function sendRequest(request: ServerRequest): Promise<Reply | typeof timedOut> {
  const { connection, method, context, timeoutMs, headers } = request;
  const meta = toForwardedMeta(context.meta, request.isOurs);
  const params = toParams(request.params, meta);
  return connection.wire.request({
    method,
    params,
    timeoutMs,
    signal: context.signal,
    progress: context.progress === ignoreProgress ? undefined : context.progress,
    headers,
  });
}

/** Only the context's `_meta` crosses: one in the parameters was looked at by nobody. */
function toParams(params: JsonObject, meta: JsonObject | undefined): JsonObject {
  if (meta !== undefined) return { ...params, _meta: meta };
  if (params["_meta"] === undefined) return params;
  const { _meta: _dropped, ...rest } = params;
  return rest;
}

/** Builds the request of a tool call. */
export function toToolRequest(
  listing: Listing,
  call: ToolCall,
  rest: Pick<ServerRequest, "server" | "connection" | "isOurs" | "timeoutMs">,
): ServerRequest {
  const headers =
    rest.connection.era === "modern" && rest.connection.wire.hasPerRequestStream
      ? toParamHeaders(findParamHeaders(listing), call.arguments)
      : undefined;
  return {
    ...rest,
    method: "tools/call",
    params: { name: listing.originalName, arguments: call.arguments },
    context: call.context,
    headers,
  };
}

const paramHeaders = new WeakMap<Listing, readonly ParamHeader[]>();

function findParamHeaders(listing: Listing): readonly ParamHeader[] {
  const known = paramHeaders.get(listing);
  if (known !== undefined) return known;
  const read = readParamHeaders(listing.raw["inputSchema"]);
  const headers = read === "invalid" ? [] : read;
  paramHeaders.set(listing, headers);
  return headers;
}

/** Turns the answer to a tool call into its outcome. */
export function toOutcome(
  reply: Reply | typeof timedOut,
  { server, timeoutMs }: ServerRequest,
  tool: string,
): CallOutcome {
  if (reply === timedOut) return errorResult(poolErrors.TOOL_TIMEOUT({ server, tool, timeoutMs }));
  if (reply.error !== undefined) return errorResult(toUpstreamError(server, reply.error));
  const { result } = reply;
  if (!isJsonObject(result)) return errorResult(poolErrors.UPSTREAM_INVALID({ server }));
  const outcome = cleanResult(result);
  if (Array.isArray(outcome["content"]) || outcome["resultType"] === "input_required")
    return outcome as CallOutcome;
  return { ...outcome, content: toContent(outcome["toolResult"]) };
}

/** Servers of 2024-10-07 answer `{ toolResult }`, and some answer nothing. */
function toContent(toolResult: JsonObject[string]): readonly { type: "text"; text: string }[] {
  if (toolResult === undefined) return [];
  const text = typeof toolResult === "string" ? toolResult : JSON.stringify(toolResult);
  return [{ type: "text", text }];
}

/**
 * Turns the answer to any other request into its result.
 *
 * @throws {PosternError} `REQUEST_TIMEOUT`, `UPSTREAM_ERROR` or `UPSTREAM_INVALID`.
 */
export function toResult(reply: Reply | typeof timedOut, request: ServerRequest): JsonObject {
  const { server, method, timeoutMs } = request;
  if (reply === timedOut) throw poolErrors.REQUEST_TIMEOUT({ server, method, timeoutMs });
  if (reply.error !== undefined) throw toUpstreamError(server, reply.error);
  if (!isJsonObject(reply.result)) throw poolErrors.UPSTREAM_INVALID({ server });
  return cleanResult(reply.result);
}

function toUpstreamError(server: string, error: unknown): Error {
  const { code, message } = isJsonObject(error) ? error : {};
  return poolErrors.UPSTREAM_ERROR({
    server,
    rpcCode: typeof code === "number" ? code : 0,
    serverText: typeof message === "string" ? message.slice(0, maxServerText) : "",
  });
}

/** What a request that did not get an answer means. */
export type SendFailure =
  /** The server forgot our session; nothing was done. */
  | { readonly kind: "session_lost" }
  /** The server cannot be reached any more. */
  | { readonly kind: "unreachable"; readonly reason: string }
  /** This request failed; the connection is as good as before. */
  | { readonly kind: "request"; readonly error: Error };

/** Whether JSON can hold it: it is not nested beyond the stack, in itself, or of a foreign type. */
function isWritable(params: JsonObject): boolean {
  try {
    return typeof JSON.stringify(params) === "string";
  } catch {
    return false;
  }
}

/** Tells what it means that a transport rejected a request. */
export function toSendFailure(error: unknown, request: ServerRequest): SendFailure {
  if (isPosternError(error)) return { kind: "request", error };
  const { server, connection, params } = request;
  // Nothing was sent, and one caller's arguments must not cost the others their connection.
  if (!isWritable(params))
    return {
      kind: "request",
      error: toolErrors.NOT_JSON({ found: "a value of its own kind, or nesting too deep" }),
    };
  const { status, reason } = describeFailure(error);
  if (status === undefined) return { kind: "unreachable", reason };
  // Five known servers say 400 for a session they forgot, four say 404.
  if ((status === 404 || status === 400) && connection.wire.sessionId !== undefined)
    return { kind: "session_lost" };
  if (status === 401 || status === 403)
    return { kind: "request", error: poolErrors.CREDENTIAL_REFUSED({ server, status }) };
  return { kind: "request", error: poolErrors.HTTP_ERROR({ server, status }) };
}
