/** What may end a wait. */
export interface Limit {
  readonly timeoutMs: number;
  /** What it rejects with when the time passed. */
  readonly toError: () => unknown;
  readonly signal?: AbortSignal;
}

/**
 * Waits for work, but not for ever. The work itself goes on; whoever started it has to end it.
 *
 * @throws What the work rejects with, what `toError` builds, or the reason of the signal; whichever comes first.
 */
export async function withLimit<T>(work: Promise<T>, limit: Limit): Promise<T> {
  const { timeoutMs, toError, signal } = limit;
  let onAbort: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(toError()), timeoutMs);
    onAbort = () => reject(signal?.reason);
    if (signal?.aborted === true) onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, passed]);
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) signal?.removeEventListener("abort", onAbort);
    work.catch(() => undefined);
  }
}
