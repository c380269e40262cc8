// For everyone who fetches what a stranger chose.
export { createSafeFetch } from "./create-safe-fetch.js";
export { safeFetchErrors } from "./errors.js";
export type {
  SafeBytes,
  SafeFetch,
  SafeFetchOptions,
  SafeHeaders,
  SafeRequest,
  SafeResponse,
} from "./types.js";
// For those who connect by other means and need the same rule.
export { isPublicAddress } from "./public-address.js";
