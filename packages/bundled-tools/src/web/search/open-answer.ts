import type { SafeResponse } from "@postern/safe-fetch";
import { webSearchErrors } from "./errors.js";
import type { Fetch } from "./lazy-fetch.js";
import type { TimeLimit } from "./time-limit.js";

/** A request to a service that is known, not chosen by a stranger. */
export interface Question {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Posted when there is one. */
  readonly body?: string;
}

const maxAnswerBytes = 4 * 1024 * 1024;
const maxRedirects = 2;
const defaultRetryAfterMs = 60_000;
const longestRetryAfterMs = 60 * 60_000;

/**
 * Asks a service once; nothing is repeated here, for the next service can answer meanwhile.
 *
 * @param fetch - What fetches.
 * @param question - What is asked.
 * @param limit - The time there is, for the body too.
 * @returns The answer, whatever its status, except 429.
 * @throws {PosternError} `PROVIDER_RATE_LIMITED`, `PROVIDER_REFUSED`, and the codes of a safe fetch
 */
export async function openAnswer(
  fetch: Fetch,
  { url, headers, body }: Question,
  limit: TimeLimit,
): Promise<SafeResponse> {
  const response = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    headers,
    ...(body === undefined ? {} : { body }),
    timeoutMs: limit.remainingMs(),
    signal: limit.signal,
    maxBytes: maxAnswerBytes,
    maxHops: maxRedirects,
  });
  if (response.status === 429) {
    await response.close();
    const retryAfterMs = toRetryAfterMs(response.headers.get("retry-after"));
    throw webSearchErrors.PROVIDER_RATE_LIMITED({ retryAfterMs });
  }
  // No key went there, but whoever answers there is not whom we asked.
  if (new URL(response.url).origin !== url.origin) {
    await response.close();
    throw webSearchErrors.PROVIDER_REFUSED({ reason: "it redirected to another address" });
  }
  return response;
}

/**
 * Asks a service once, and reads a success as text.
 *
 * @param fetch - What fetches.
 * @param question - What is asked.
 * @param limit - The time there is.
 * @returns The body.
 * @throws {PosternError} As `openAnswer`, and `PROVIDER_STATUS`
 */
export async function readAnswerText(
  fetch: Fetch,
  question: Question,
  limit: TimeLimit,
): Promise<string> {
  const response = await openAnswer(fetch, question, limit);
  const { status } = response;
  if (status < 200 || status > 299) {
    await response.close();
    throw webSearchErrors.PROVIDER_STATUS({ status });
  }
  return toText((await response.bytes()).data);
}

/**
 * Parses what a service says is JSON.
 *
 * @param text - The body.
 * @returns The value.
 * @throws {PosternError} `PROVIDER_MALFORMED`
 */
export function parseAnswerJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw webSearchErrors.PROVIDER_MALFORMED({ problem: "it is not JSON" });
  }
}

/** Decodes UTF-8, leniently. */
export function toText(data: Uint8Array): string {
  return new TextDecoder().decode(data);
}

/**
 * Reads a Retry-After header: seconds or a date (RFC 9110 §10.2.3).
 *
 * @param value - Its text.
 * @returns Milliseconds, from a second to an hour; a minute when there is none.
 */
function toRetryAfterMs(value: string | null): number {
  if (value === null) return defaultRetryAfterMs;
  const ms = /^\s*\d+\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  if (Number.isNaN(ms)) return defaultRetryAfterMs;
  return Math.min(longestRetryAfterMs, Math.max(1000, ms));
}
