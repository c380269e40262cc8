// For whoever chooses what searches; apart from the tools, because engines take long to load.
export { createRipgrepBackend, isRipgrepPresent } from "./search/ripgrep-backend.js";
export { createWalkerBackend } from "./search/walker-backend.js";
export type {
  ContentRequest,
  FileMatches,
  Found,
  SearchBackend,
  SearchRequest,
} from "./search/search-backend.js";
