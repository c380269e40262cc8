/** The variable that says how many seconds a command may run at most. */
export const maxTimeoutVariable = "POSTERN_RUN_COMMAND_MAX_TIMEOUT";

const defaultMaxSeconds = 600;

/** How long a command may run at most. */
export interface MaxTimeout {
  readonly maxSeconds: number;
  /** What is wrong with the variable, for the log. */
  readonly warning?: string;
}

/**
 * Reads `POSTERN_RUN_COMMAND_MAX_TIMEOUT`: a number of seconds above 0, such as `90`, `1.5` or `1e3`.
 *
 * @param text - The variable; unset and empty mean 600.
 * @returns The ceiling; 600 and a warning for a text of another form.
 */
export function parseMaxTimeout(text: string | undefined): MaxTimeout {
  const trimmed = text?.trim() ?? "";
  if (trimmed === "") return { maxSeconds: defaultMaxSeconds };
  // Number() would also take "0x10" and "1e999".
  const seconds = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)
    ? Number(trimmed)
    : Number.NaN;
  if (Number.isFinite(seconds) && seconds > 0) return { maxSeconds: seconds };
  return {
    maxSeconds: defaultMaxSeconds,
    warning: `${maxTimeoutVariable} is not a number of seconds above 0, so ${defaultMaxSeconds} is used.`,
  };
}
