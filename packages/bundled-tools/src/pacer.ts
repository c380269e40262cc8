/** Gives the event loop a turn now and then during long work. */
export interface Pacer {
  /** Whether it is time for a pause. */
  isDue(): boolean;
  /** Lets others work, then goes on. @throws The signal's reason when it is aborted. */
  pause(): Promise<void>;
}

const sliceMs = 12;

/**
 * Makes a pacer.
 *
 * @param signal - Ends the work; may be aborted already.
 * @throws Its reason.
 */
export function createPacer(signal: AbortSignal): Pacer {
  signal.throwIfAborted();
  let end = performance.now() + sliceMs;
  return {
    isDue: () => performance.now() >= end,
    async pause() {
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      end = performance.now() + sliceMs;
    },
  };
}
