import { unwatchAbort, watchAbort } from "./abort-watch.js";

/** What may end a wait. */
export interface Limit {
  readonly timeoutMs: number;
  /** What it rejects with when the time passed. */
  readonly toError: () => unknown;
  readonly signal?: AbortSignal;
}

/** Waits for work until a signal is aborted; the work itself goes on. */
export async function withoutAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = withReject();
  const abortable = { onAbort: () => reject(signal.reason) };
  watchAbort(signal, abortable);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    unwatchAbort(signal, abortable);
    work.catch(() => undefined);
  }
}

/** A promise that only rejects, and only from outside. */
function withReject(): { promise: Promise<never>; reject: (reason: unknown) => void } {
  let settle: ((reason: unknown) => void) | undefined;
  const promise = new Promise<never>((_resolve, reject) => {
    settle = reject;
  });
  return { promise, reject: (reason) => settle?.(reason) };
}

/**
 * Waits for work, but not for ever. The work itself goes on; whoever started it has to end it.
 *
 * @throws What the work rejects with, what `toError` builds, or the reason of the signal; whichever comes first.
 */
export async function withLimit<T>(work: Promise<T>, limit: Limit): Promise<T> {
  const { timeoutMs, toError, signal } = limit;
  const { promise: passed, reject } = withReject();
  const timer = setTimeout(() => reject(toError()), timeoutMs);
  const first = Promise.race([work, passed]);
  try {
    return await (signal === undefined ? first : withoutAbort(first, signal));
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}
