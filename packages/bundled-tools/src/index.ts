// For everyone who uses the tools.
export { bundledTools, fileTools } from "./bundled-tools.js";
export type { BundledToolsOptions } from "./bundled-tools.js";
export { bundledServer, bundledVariables } from "./bundled-server.js";
export type { BundledServer, BundledServerOptions } from "./bundled-server.js";
export { bundledErrors } from "./errors.js";
export type { ReadVariable } from "./root-user.js";
