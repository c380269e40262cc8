/** Fifteen minutes: longer than any honest call, short enough that a hung one ends the same day. */
export const defaultCallTimeoutMs = 900_000;

/** A call limit read from text. */
export interface CallTimeout {
  /** The limit in milliseconds; 0: no limit. */
  readonly timeoutMs: number;
  /** What was wrong with the text, for the owner. */
  readonly warning?: string;
}

/**
 * Reads a call limit as `POSTERN_TOOL_CALL_TIMEOUT` holds it.
 *
 * @param text - Seconds. `0` and less mean no limit; undefined means the default of 900 seconds.
 * @returns The limit; for anything that is not a number, the default and a warning.
 */
export function parseCallTimeout(text: string | undefined): CallTimeout {
  if (text === undefined) return { timeoutMs: defaultCallTimeoutMs };
  // Number() would also take "0x10", "1e999" and "".
  const seconds = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text.trim())
    ? Number(text)
    : Number.NaN;
  if (!Number.isFinite(seconds))
    return {
      timeoutMs: defaultCallTimeoutMs,
      warning:
        "POSTERN_TOOL_CALL_TIMEOUT is not a number of seconds, so 900 is used. Set it to a number, or to 0 for no limit.",
    };
  if (seconds <= 0) return { timeoutMs: 0 };
  return { timeoutMs: Math.min(maxTimerMs, Math.max(1, Math.round(seconds * 1_000))) };
}

/** The longest timer that Node keeps; a longer one would fire at once. */
const maxTimerMs = 2_147_483_647;
