// For everyone who guards files.
export { createSensitiveNames } from "./paths/sensitive-names.js";
export type { IsSensitive } from "./paths/sensitive-names.js";
export { findPathMentions } from "./paths/path-mentions.js";
export type { PathMention } from "./paths/path-mentions.js";
export { findCommandPaths } from "./paths/command-paths.js";
export type { CommandPath } from "./paths/command-paths.js";
export { checkPaths } from "./paths/check-paths.js";
export type { PathGate, PathRequest, RealPath } from "./paths/check-paths.js";
