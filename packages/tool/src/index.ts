// For everyone who uses or serves tools.
export { toolSet } from "./local-tools.js";
export { defineTool } from "./define-tool.js";
export type { Tool, ToolDefinition } from "./define-tool.js";
export { mergeToolSets } from "./merge-tool-sets.js";
export { intercept, restrict } from "./view.js";
export { isSource } from "./tool-set.js";
export type {
  ListChange,
  ListContext,
  MissingServer,
  Source,
  ToolCall,
  ToolSet,
} from "./tool-set.js";
export type { Listing, ListingKind, ToolAnnotations } from "./listing.js";
export { anonymousCaller, createCallContext } from "./call-context.js";
export type { Answer, Ask, CallContext, Caller, Progress, Question } from "./call-context.js";
export {
  createResult,
  dataResult,
  isCreatedResult,
  isInputRequired,
  textResult,
} from "./tool-result.js";
export type { CallOutcome, ContentBlock, InputRequired, ToolResult } from "./tool-result.js";
export { errorResult, findResultError } from "./error-result.js";
export { toolErrors } from "./errors.js";
export { isJsonObject } from "./json.js";
export type { JsonObject, JsonValue } from "./json.js";

// For authors of rules, interceptors, sources and servers.
export { allowed, refused } from "./tool-rule.js";
export type { Decision, ToolRule } from "./tool-rule.js";
export type { CallTool, Interceptor, ResolvedCall } from "./interceptor.js";
export type { Operation } from "./operation.js";
export { canonicalJson } from "./canonical-json.js";
export { isInputRequiredError } from "./input-required-error.js";
export { findRequestTarget, findTargetListing } from "./request-target.js";
export type { RequestTarget } from "./request-target.js";
export { isUriOfTemplate } from "./uri-template.js";
export {
  checkpathsMetaKey,
  grantedMetaKey,
  isReservedMetaKey,
  readCheckpaths,
  readTags,
  reservedMetaPrefix,
  tagsMetaKey,
  withoutReservedMeta,
} from "./meta.js";
export { toQuoted } from "./to-quoted.js";
