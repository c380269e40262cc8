import { isPosternError } from "@postern/errors";
import type { SafeResponse } from "@postern/safe-fetch";
import { readVersion } from "../../version.js";
import type { Fetch } from "../search/lazy-fetch.js";
import { paperErrors } from "./errors.js";
import { parseJsonText } from "./json-fields.js";
import { lateReason, type Share } from "./share.js";

/** What is asked of a source, by GET. */
export interface ServiceRequest {
  readonly url: string;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the headers hold a key of the owner's: then only its own origin is believed. */
  readonly isKeyed?: boolean;
}

/** More than any source sends for the most papers that can be asked for. */
const maxBytes = 4 * 1024 * 1024;

/** Says who we are: honestly, to every source. */
export function readUserAgent(): string {
  return `postern-web-search/${readVersion()}`;
}

/**
 * Asks a source once: the next one is faster than a second attempt.
 *
 * @param fetch - What fetches.
 * @param request - What is asked; parameters that are undefined are left out.
 * @param share - The time there is.
 * @returns The text of a success.
 * @throws {PosternError} `PAPER_SOURCE_FAILED`, `PAPER_SOURCE_LIMITED`
 */
export async function readService(
  fetch: Fetch,
  request: ServiceRequest,
  share: Share,
): Promise<string> {
  const { headers = {}, isKeyed = false } = request;
  const url = toUrl(request);
  const accept = { accept: "application/json, application/xml;q=0.9, */*;q=0.5" };
  try {
    const response = await fetch(url, {
      headers: { ...accept, ...headers },
      timeoutMs: Math.max(1, Math.ceil(share.deadlineMs - performance.now())),
      maxBytes,
      signal: share.signal,
    });
    await assertSuccess(response);
    // The fetch keeps the key at home; what answers elsewhere, without it, is not what was asked.
    if (isKeyed && new URL(response.url).origin !== url.origin) {
      await response.close();
      throw createFailure("it redirected to another origin");
    }
    const { data } = await response.bytes();
    return new TextDecoder().decode(data);
  } catch (error) {
    throw isPosternError(error, paperErrors) ? error : createFailure(toReason(error), error);
  }
}

/**
 * Asks a source once, and parses the JSON of its answer.
 *
 * @throws {PosternError} `PAPER_SOURCE_FAILED`, `PAPER_SOURCE_LIMITED`
 */
export async function readJsonService(
  fetch: Fetch,
  request: ServiceRequest,
  share: Share,
): Promise<unknown> {
  const value = parseJsonText(await readService(fetch, request, share));
  if (value === undefined) throw createMalformed();
  return value;
}

/** Makes the error for an answer that is not in the form that was agreed. */
export function createMalformed(): Error {
  return createFailure("its answer could not be understood");
}

function createFailure(reason: string, cause?: unknown): Error {
  return paperErrors.PAPER_SOURCE_FAILED({ reason }, { cause });
}

function toUrl({ url, params }: ServiceRequest): URL {
  const whole = new URL(url);
  for (const [name, value] of Object.entries(params))
    if (value !== undefined) whole.searchParams.set(name, value);
  return whole;
}

async function assertSuccess(response: SafeResponse): Promise<void> {
  const { status, headers } = response;
  if (status >= 200 && status < 300) return;
  await response.close();
  const reason = `HTTP ${status}`;
  const retryAfterMs = findRetryAfterMs(headers.get("retry-after"));
  if (status === 429 || (status === 503 && retryAfterMs !== null))
    throw paperErrors.PAPER_SOURCE_LIMITED({ reason, retryAfterMs });
  throw createFailure(reason);
}

const reasons: Readonly<Record<string, string>> = {
  FETCH_TIMEOUT: lateReason,
  ABORTED: lateReason,
  HOST_UNKNOWN: "its name could not be resolved",
  ADDRESS_REFUSED: "its name leads to an address that is not on the public internet",
  CONNECTION_FAILED: "the connection failed",
  RESPONSE_TOO_LARGE: "its answer is too large",
  TOO_MANY_REDIRECTS: "it redirected too often",
};

function toReason(error: unknown): string {
  return (isPosternError(error) ? reasons[error.code] : undefined) ?? "the request failed";
}

/** Seconds or a date (RFC 9110 §10.2.3); null for neither. */
function findRetryAfterMs(value: string | null): number | null {
  if (value === null) return null;
  const text = value.trim();
  const ms = /^\d{1,10}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
