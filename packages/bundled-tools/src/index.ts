// For everyone who uses the tools.
export { bundledTools, commandTools, fileTools, searchTools, webTools } from "./bundled-tools.js";
export type { BundledToolsOptions } from "./bundled-tools.js";
export { bundledErrors } from "./errors.js";
export { commandErrors } from "./command/errors.js";
export { editErrors } from "./edit/errors.js";
export { searchErrors } from "./search/errors.js";
export { webErrors } from "./web/errors.js";
export { webSearchErrors } from "./web/search/errors.js";
export { paperErrors } from "./web/papers/errors.js";
export type { ReadVariable } from "./root-user.js";

// For authors of search backends and search providers.
export type {
  ContentRequest,
  FileMatches,
  Found,
  SearchBackend,
  SearchRequest,
} from "./search/search-backend.js";
export type { FoundPage, SearchProvider } from "./web/search/search-provider.js";
