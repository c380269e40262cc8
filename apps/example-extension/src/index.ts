// For everyone who composes tools: a rule, an interceptor, and a set of tools.
export { byDescriptionLength } from "./rules/by-description-length.js";
export { createCallQuota } from "./interceptors/call-quota.js";
export type { CallQuota } from "./interceptors/call-quota.js";
export { domainTools } from "./domain/domain-tools.js";
export { extensionErrors } from "./errors.js";
