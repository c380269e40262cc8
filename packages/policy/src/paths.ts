// For everyone who guards files.
export { createSensitiveNames } from "./paths/sensitive-names.js";
export type { IsSensitive } from "./paths/sensitive-names.js";
export { findPathMentions } from "./paths/path-mentions.js";
export type { PathMention } from "./paths/path-mentions.js";
export { findCommandPaths } from "./paths/command-paths.js";
export type { CommandPath } from "./paths/command-paths.js";
export { checkPaths } from "./paths/check-paths.js";
export type { PathGate, PathRequest, PathTarget, RealPath } from "./paths/check-paths.js";
export { globMarks } from "./paths/shell-word.js";
// For hosts: the gate that asks.
export { askForPaths } from "./consent/ask-for-paths.js";
export type { PathConsentOptions } from "./consent/ask-for-paths.js";
export { createMemoryConsentStore } from "./consent/consent-store.js";
export type { Consent, ConsentStore } from "./consent/consent-store.js";
export { pathErrors } from "./consent/errors.js";
export type { Denial } from "./consent/errors.js";
