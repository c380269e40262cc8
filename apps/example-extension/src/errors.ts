import { defineErrors } from "@postern/errors";

/** What this package refuses calls with, and throws for wrong options. */
export const extensionErrors = defineErrors({
  QUOTA_REACHED: ({
    maxCalls,
    retryAfterMs,
  }: {
    readonly maxCalls: number;
    readonly retryAfterMs: number;
  }) =>
    `This tool may be called ${maxCalls} times per period. Call it again in ${retryAfterMs} ms, or do without it.`,
  INVALID_LIMIT: ({ option }: { readonly option: string }) =>
    `The option "${option}" must be a whole number, at least 1.`,
  UNKNOWN_MODEL: ({ id }: { readonly id: string }) =>
    `No model has the id ${JSON.stringify(id.slice(0, 60))}. Find ids with find_models.`,
});

/**
 * Asserts that a limit is one.
 *
 * @param option - The option's name.
 * @param value - What was given.
 * @throws {PosternError} `INVALID_LIMIT`
 */
export function assertLimit(option: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1) throw extensionErrors.INVALID_LIMIT({ option });
}
