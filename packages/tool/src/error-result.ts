import { isPosternError, type PosternError } from "@postern/errors";
import { toolErrors } from "./errors.js";
import type { JsonObject } from "./json.js";
import { createResult, type CallOutcome, type ToolResult } from "./tool-result.js";

/** Carries the error beside the result inside the process; JSON never has symbols, so no server can forge it. */
const errorKey = Symbol.for("dev.postern.result-error");

/**
 * Turns anything thrown into the result a model can read: `isError`, and `{ error: CODE, message, …data }` as
 * structured content and as text. An error that is not ours becomes `INTERNAL_ERROR`, and nothing of it leaks.
 *
 * @param error - What was thrown.
 * @param describe - Writes the error in the shape of a tool's own output schema, in place of that one.
 * @returns The result.
 */
export function errorResult(
  error: unknown,
  describe?: (error: PosternError) => JsonObject,
): ToolResult {
  const known = isPosternError(error) ? error : toolErrors.INTERNAL_ERROR({}, { cause: error });
  const { text, data } = describe === undefined ? toContent(known) : toText(describe(known));
  const result = createResult({
    content: [{ type: "text", text }],
    structuredContent: data,
    isError: true,
  });
  return Object.defineProperty(result, errorKey, { value: known });
}

function toText(data: JsonObject): { readonly text: string; readonly data: JsonObject } {
  return { text: JSON.stringify(data), data };
}

/** A refusal must reach its caller, so data that JSON cannot hold is left out, and never throws. */
function toContent(error: PosternError): { readonly text: string; readonly data: JsonObject } {
  try {
    return toText(error.toJSON());
  } catch {
    return toText({ error: error.code, message: error.message });
  }
}

/**
 * Finds the error of a result that was refused or failed on our side, told apart from what a server says.
 *
 * @param outcome - What a call resolved to.
 * @returns The error, or undefined for anything a server answered.
 */
export function findResultError(outcome: CallOutcome): PosternError | undefined {
  return (outcome as { readonly [errorKey]?: PosternError })[errorKey];
}
