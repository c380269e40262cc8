import { bundledErrors } from "../../errors.js";
import { paperErrors } from "./errors.js";

/** The part of a call's time that one source has. */
export interface Share {
  /** Aborted at the deadline, and when the call is cancelled. */
  readonly signal: AbortSignal;
  /** On the clock of `performance.now()`. */
  readonly deadlineMs: number;
}

/** The reason of whoever was too slow. */
export const lateReason = "no complete answer in time";

/**
 * Does work within a share of the time. Nobody waits for it any longer, also when it does not heed the signal.
 *
 * @param work - What is done; told to stop through the share's signal.
 * @param outer - By when, and what cancels it earlier.
 * @throws {PosternError} `PAPER_SOURCE_FAILED` at the deadline, `CANCELLED`, and what the work throws.
 */
export async function withShare<T>(work: (share: Share) => Promise<T>, outer: Share): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const end = (error: Error): void => controller.abort(error);
  const cancel = (): void => end(bundledErrors.CANCELLED());
  const timer = setTimeout(
    () => end(paperErrors.PAPER_SOURCE_FAILED({ reason: lateReason })),
    Math.max(0, outer.deadlineMs - performance.now()),
  );
  outer.signal.addEventListener("abort", cancel, { once: true });
  const ended = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
  if (outer.signal.aborted) cancel();
  try {
    return await Promise.race([ended, work({ signal, deadlineMs: outer.deadlineMs })]);
  } finally {
    clearTimeout(timer);
    outer.signal.removeEventListener("abort", cancel);
    // Whatever it still does is of no use to anybody.
    controller.abort();
    ended.catch(() => undefined);
  }
}
