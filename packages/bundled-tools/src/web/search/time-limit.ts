/** The time that is left for something. */
export interface TimeLimit {
  /** At least 1, so that it can be given on as a time-out. */
  remainingMs(): number;
  isOver(): boolean;
  readonly signal: AbortSignal;
}

/**
 * Makes a limit that begins now.
 *
 * @param limitMs - How long it lasts.
 * @param signal - Ends it before.
 * @returns The limit.
 */
export function createTimeLimit(limitMs: number, signal: AbortSignal): TimeLimit {
  const end = performance.now() + limitMs;
  return {
    remainingMs: () => Math.max(1, Math.round(end - performance.now())),
    isOver: () => performance.now() >= end || signal.aborted,
    signal,
  };
}
