import { isPosternError } from "@postern/errors";
import { searchErrors } from "./errors.js";

/** Turns what a search threw into an error of ours; the reason of an abort and our own errors stay what they are. */
export function toSearchFailure(error: unknown): unknown {
  if (isPosternError(error) || !(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  // Only the system's errors have such a code; an abort has another kind, or none.
  return /^E[A-Z]+$/.test(code)
    ? searchErrors.SEARCH_FAILED({ reason: code }, { cause: error })
    : error;
}
