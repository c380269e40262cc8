import { setTimeout as sleep } from "node:timers/promises";
import { isPosternError } from "@postern/errors";
import type { SafeFetch, SafeRequest, SafeResponse } from "@postern/safe-fetch";
import { readVersion } from "../version.js";
import { webErrors } from "./errors.js";
import type { WebSurroundings } from "./surroundings.js";

/** Hosts of a private network that the owner opens: "host" or "host:port", separated by commas. */
export const allowHostsVariable = "POSTERN_WEB_ALLOW_HOSTS";

/** What is asked for. */
export interface OpenRequest {
  readonly url: string;
  /** For everything: all attempts, and reading the body. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly onTooLarge: "truncate" | "fail";
  readonly signal: AbortSignal;
}

/** Opens a URL: waits and tries again while that can help, and gives only answers that are a success. */
export type OpenUrl = (request: OpenRequest) => Promise<SafeResponse>;

const maxAttempts = 3;
const passingStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/**
 * Makes what the web tools fetch with. It says honestly who it is.
 *
 * @param around - The environment, and what tests replace.
 * @returns Opens a URL. Its HTTP client is loaded at the first use.
 */
export function createOpenUrl(around: WebSurroundings): OpenUrl {
  let made: Promise<SafeFetch> | undefined;
  const { resolve, backOffMs = 500 } = around;
  return async (request) => {
    made ??= import("@postern/safe-fetch").then(({ createSafeFetch }) =>
      createSafeFetch({
        allowHosts: () => (around.env(allowHostsVariable) ?? "").split(","),
        userAgent: `postern-web-fetch/${readVersion()}`,
        ...(resolve === undefined ? {} : { resolve }),
      }),
    );
    return await openWithRetries(await made, request, backOffMs);
  };
}

async function openWithRetries(
  safeFetch: SafeFetch,
  request: OpenRequest,
  backOffMs: number,
): Promise<SafeResponse> {
  const end = performance.now() + request.timeoutMs;
  const remainingMs = (): number => Math.max(1, end - performance.now());
  const { url, signal } = request;
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === maxAttempts;
    const answer = await openOnce(safeFetch, request, remainingMs());
    const pauseMs = findPauseMs(answer, backOffMs * 2 ** (attempt - 1));
    // An answer later than the time there is helps nobody.
    if (pauseMs === undefined || isLast || pauseMs >= remainingMs())
      return await toOpened(url, answer);
    if ("response" in answer) await answer.response.close();
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

type Answer = { readonly response: SafeResponse } | { readonly error: unknown };

async function openOnce(
  safeFetch: SafeFetch,
  { url, ...request }: OpenRequest,
  remainingMs: number,
): Promise<Answer> {
  const sent: SafeRequest = { ...request, timeoutMs: Math.round(remainingMs) };
  try {
    return { response: await safeFetch(url, sent) };
  } catch (error) {
    return { error };
  }
}

/** How long to wait before another attempt; undefined when none would help. */
function findPauseMs(answer: Answer, backOffMs: number): number | undefined {
  // Not everyone at the same moment.
  const pauseMs = backOffMs * (1 + Math.random() / 2);
  if ("error" in answer)
    return isPosternError(answer.error) && answer.error.code === "CONNECTION_FAILED"
      ? pauseMs
      : undefined;
  const { status, headers } = answer.response;
  if (!passingStatuses.has(status) || isChallenge(answer.response)) return undefined;
  return Math.max(pauseMs, readRetryAfterMs(headers.get("retry-after")));
}

/** Seconds or a date (RFC 9110 §10.2.3); 0 for neither. */
function readRetryAfterMs(value: string | null): number {
  if (value === null) return 0;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? 0 : ms;
}

function isChallenge({ headers }: SafeResponse): boolean {
  return headers.get("cf-mitigated")?.toLowerCase() === "challenge";
}

async function toOpened(url: string, answer: Answer): Promise<SafeResponse> {
  if ("error" in answer) throw answer.error;
  const { response } = answer;
  const { status } = response;
  if (status >= 200 && status < 300) return response;
  await response.close();
  throw isChallenge(response)
    ? webErrors.BROWSER_CHALLENGE({ url, status })
    : webErrors.HTTP_STATUS({ url, status });
}
