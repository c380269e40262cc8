import { isPosternError } from "@postern/errors";
import { toolErrors } from "./errors.js";

/**
 * Tells the rejection of `ask` that means "the answer comes by a retried request". Every interceptor lets it pass.
 *
 * @param error - What was thrown.
 * @returns True for that rejection.
 */
export function isInputRequiredError(error: unknown): boolean {
  return isPosternError(error, toolErrors) && error.code === "INPUT_REQUIRED";
}
