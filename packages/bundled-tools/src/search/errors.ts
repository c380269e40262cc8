import { defineErrors } from "@postern/errors";

/** Why a search was not done, or not to its end. */
export const searchErrors = defineErrors({
  INVALID_PATTERN: ({ reason }: { readonly reason: string }) =>
    `The pattern is not one that can be searched for: ${reason}. Use RE2 syntax (no look-around, no back references), and put a backslash before characters that are meant as they are.`,
  SEARCH_TIMEOUT: ({ seconds }: { readonly seconds: number }) =>
    `The search took longer than ${seconds} seconds and was stopped. Search a smaller directory, or set include.`,
  SEARCH_FAILED: ({ reason }: { readonly reason: string }) => `The search failed (${reason}).`,
});
