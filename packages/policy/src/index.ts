// For everyone who decides what is exposed.
export { byTags } from "./by-tags.js";
export type { TagFilter } from "./by-tags.js";
export { byAccess } from "./by-access.js";
export type { DeclaredAccess } from "./by-access.js";
export { byName } from "./by-name.js";
export type { NameFilter } from "./by-name.js";
export { byServer } from "./by-server.js";
export { allOf } from "./all-of.js";
export { permitted } from "./permitted.js";
export { parseAccessLevel } from "./access-level.js";
export type { AccessLevel } from "./access-level.js";
// For authors of hosts: what a configuration's keys mean, and what wrong options throw.
export { checkToolKeys } from "./check-tool-keys.js";
export type { ToolKeyProblem } from "./check-tool-keys.js";
export { policyErrors } from "./errors.js";
