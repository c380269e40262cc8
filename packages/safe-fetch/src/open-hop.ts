import type { Readable } from "node:stream";
import { isPosternError } from "@postern/errors";
import { readCheckedAddresses } from "./check-addresses.js";
import type { Deadline } from "./deadline.js";
import { safeFetchErrors } from "./errors.js";
import { openConnection } from "./open-connection.js";
import type { Target } from "./parse-target.js";
import type { Sent } from "./redirect.js";
import type { SafeFetchOptions, SafeHeaders } from "./types.js";

/** By what a hop is made. */
export interface HopRules {
  readonly options: SafeFetchOptions;
  readonly deadline: Deadline;
}

/** One answer of one server, its body unread. */
export interface Hop {
  readonly status: number;
  readonly headers: SafeHeaders;
  /** The bytes as they were sent. Its errors are not ours yet. */
  readonly raw: Readable;
  close(): Promise<void>;
}

/**
 * Checks where a target lies, connects there and sends one request.
 *
 * @param target - Where it goes.
 * @param sent - What is sent.
 * @param rules - Options and the time there is.
 * @returns The answer; the caller closes it.
 * @throws {PosternError} As a safe fetch.
 */
export async function openHop(target: Target, sent: Sent, rules: HopRules): Promise<Hop> {
  const { deadline, options } = rules;
  const addresses = await deadline.within(readCheckedAddresses(target, options));
  const client = openConnection(target, addresses, deadline.remainingMs());
  const close = async (): Promise<void> => {
    await client.destroy().catch(() => undefined);
  };
  // Also when nobody reads the body: no connection outlives the fetch.
  deadline.signal.addEventListener("abort", () => void close(), { once: true });
  try {
    const answer = await client.request({
      ...sent,
      body: sent.body ?? null,
      path: target.url.pathname + target.url.search,
      signal: deadline.signal,
    });
    // An error that comes while nobody reads is told to the next reader, and must not end the process.
    answer.body.on("error", () => undefined);
    return {
      status: answer.statusCode,
      headers: toHeaders(answer.headers),
      raw: answer.body,
      close,
    };
  } catch (error) {
    await close();
    throw toFetchError(error, target.host, deadline);
  }
}

/**
 * Turns what the HTTP client threw into an error of ours.
 *
 * @param error - What was thrown.
 * @param host - Whom it was about.
 * @param deadline - Its reason comes first: what breaks after the end breaks because of it.
 * @returns The error; its message names no address.
 */
export function toFetchError(error: unknown, host: string, deadline: Deadline): Error {
  const ended = deadline.findReason();
  if (ended !== undefined) return ended;
  if (isPosternError(error)) return error;
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  const reason = typeof code === "string" ? code : "unknown reason";
  if (reason === "UND_ERR_CONNECT_TIMEOUT")
    return safeFetchErrors.CONNECTION_FAILED({ host, reason: "no connection in time" });
  return safeFetchErrors.CONNECTION_FAILED({ host, reason }, { cause: error });
}

function toHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): SafeHeaders {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined)
      values.set(name.toLowerCase(), Array.isArray(value) ? value.join(", ") : value);
  return { get: (name) => values.get(name.toLowerCase()) ?? null };
}
