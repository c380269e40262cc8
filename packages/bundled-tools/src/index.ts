// For everyone who uses the tools.
export { bundledTools, fileTools } from "./bundled-tools.js";
export type { BundledToolsOptions } from "./bundled-tools.js";
export { bundledErrors } from "./errors.js";
export type { ReadVariable } from "./root-user.js";
