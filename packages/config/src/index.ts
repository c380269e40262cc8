// For everyone who reads configuration.
export { parseMcpConfig } from "./mcp/parse-mcp-config.js";
export { parsePosternConfig, emptyPosternConfig } from "./project/parse-postern-config.js";
export { narrowUntrusted } from "./project/narrow-untrusted.js";
export type { NarrowedConfig, Widening } from "./project/narrow-untrusted.js";
export { mergeConfigs } from "./project/merge-configs.js";
export { expandServer } from "./references/expand-server.js";
export type { Environment, ExpandedServer, ExpansionProblem } from "./references/expand-server.js";
export { checkServerNames } from "./mcp/check-server-names.js";
export type { NamedServer } from "./mcp/check-server-names.js";
export { toUnresolvedText } from "./masking/unresolved-text.js";
export { configErrors } from "./errors.js";
export type { Parsed, Place, Problem } from "./problem.js";
export type {
  BrokenServer,
  HttpTransport,
  McpConfig,
  ServerEntry,
  ServerProtocol,
  StdioTransport,
} from "./mcp/server-entry.js";
export type {
  BundledToolsSettings,
  ConfiguredLevel,
  DeclaredAccess,
  Domain,
  DomainServer,
  GeneralSettings,
  GuardRule,
  GuardSettings,
  PathSettings,
  PosternConfig,
} from "./project/postern-config.js";

// For authors of programs with files of their own.
export { parseJson } from "./json/parse-json.js";
export type { JsonDocument } from "./json/parse-json.js";
export type { JsonOptions } from "./json/parse-tree.js";
export type { JsonObject, JsonPath, JsonValue } from "./json/json-value.js";
export { findNearest } from "./find-nearest.js";
export { toPlainText } from "./masking/plain-text.js";
export { serverNamePattern } from "./mcp/server-shape.js";
export { mcpSchema, posternSchema } from "./schemas.js";
