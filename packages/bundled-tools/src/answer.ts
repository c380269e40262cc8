import { createResult, errorResult, type JsonObject, type ToolResult } from "@postern/tool";
import { isPosternError } from "@postern/errors";

/** What every bundled tool answers with: its own fields, and why it failed. */
export type Answer = JsonObject & {
  /** Why it failed, in words; empty when it did not. */
  readonly error: string;
};

/**
 * Makes a tool's result: the whole answer as structured content and as JSON text, and `isError` exactly when the
 * answer's `error` says something.
 *
 * @param answer - The answer.
 * @returns The result.
 */
export function toResult(answer: Answer): ToolResult {
  return createResult({
    content: [{ type: "text", text: JSON.stringify(answer) }],
    structuredContent: answer,
    ...(answer.error.trim() === "" ? {} : { isError: true }),
  });
}

/**
 * Makes the result of a failure: the fields that a caller expects, `error` in words and the stable `code`.
 *
 * @param error - What was thrown. Anything but an error of ours becomes `INTERNAL_ERROR`, and nothing of it leaks.
 * @param fields - The tool's other fields.
 * @returns The result.
 */
export function toFailure(error: unknown, fields: JsonObject = {}): ToolResult {
  if (!isPosternError(error)) return errorResult(error);
  return toResult({ ...fields, error: error.message, code: error.code });
}
