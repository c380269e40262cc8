import { safeFetchErrors } from "./errors.js";

/** One end of time for all that a fetch does, and its caller's signal. */
export interface Deadline {
  /** Aborted when the time is over, the caller gave up, or `stop` was called. */
  readonly signal: AbortSignal;
  /** What is left, at least 1. */
  remainingMs(): number;
  /** Why it ended, as an error of ours; undefined while there is time. */
  findReason(): Error | undefined;
  /** Waits for work that cannot be cancelled, but not longer than there is time. */
  within<T>(work: Promise<T>): Promise<T>;
  /** Ends it: everything that listens to the signal gives up, and no timer stays behind. */
  stop(): void;
}

/**
 * Starts the clock of a fetch.
 *
 * @param timeoutMs - How long everything together may take.
 * @param caller - Ends it earlier.
 * @returns The deadline; the caller stops it.
 */
export function createDeadline(timeoutMs: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const end = performance.now() + timeoutMs;
  let reason: Error | undefined;
  const finish = (why: Error): void => {
    clearTimeout(timer);
    caller?.removeEventListener("abort", cancel);
    if (signal.aborted) return;
    reason = why;
    controller.abort(why);
  };
  const cancel = (): void => finish(safeFetchErrors.ABORTED());
  const timer = setTimeout(() => finish(safeFetchErrors.FETCH_TIMEOUT({ timeoutMs })), timeoutMs);
  caller?.addEventListener("abort", cancel, { once: true });
  if (caller?.aborted === true) cancel();
  return {
    signal,
    remainingMs: () => Math.max(1, Math.ceil(end - performance.now())),
    findReason: () => reason,
    within: (work) => withSignal(work, signal),
    stop: cancel,
  };
}

async function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let give: (() => void) | undefined;
  const given = new Promise<never>((_resolve, reject) => {
    give = () => reject(signal.reason as Error);
    signal.addEventListener("abort", give, { once: true });
    if (signal.aborted) give();
  });
  try {
    return await Promise.race([work, given]);
  } finally {
    if (give !== undefined) signal.removeEventListener("abort", give);
  }
}
