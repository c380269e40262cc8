import type { Parsed, Problem, Place } from "./problem.js";
import type { JsonObject, JsonPath, JsonValue } from "./json/json-value.js";
import type { McpConfig, ServerEntry } from "./mcp/server-entry.js";
import type { PosternConfig } from "./project/postern-config.js";
export type { Parsed, Place, Problem } from "./problem.js";
export type { JsonObject, JsonPath, JsonValue } from "./json/json-value.js";
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
  PosternConfig,
} from "./project/postern-config.js";
// INTERIM: the real functions replace these declarations, with these very signatures.
export interface JsonDocument {
  readonly value: JsonValue;
  positionOf(path: JsonPath): { readonly line: number; readonly column: number } | undefined;
}
export declare function parseJson(
  text: string,
  file: string,
  options?: { readonly comments?: boolean },
): Parsed<JsonDocument>;
export declare function parseMcpConfig(text: string, file: string): Parsed<McpConfig>;
export declare function parsePosternConfig(text: string, file: string): Parsed<PosternConfig>;
export type ExpandedServer =
  | {
      readonly ok: true;
      /** No reference and no tokenEnv is left: the token is in the `authorization` header. */ readonly entry: ServerEntry;
      /** A credential goes out with every request: https or loopback only, no cross-origin redirect. */ readonly credential: boolean;
    }
  | {
      readonly ok: false;
      readonly problems: readonly { readonly code: string; readonly message: string }[];
    };
export declare function expandServer(
  entry: ServerEntry,
  env: Readonly<Record<string, string | undefined>>,
): ExpandedServer;
export interface NamedServer {
  readonly name: string;
  readonly prefix?: string;
  readonly disabled?: boolean;
  readonly at?: Place;
}
/** One problem per server that must stay unmounted (`problem.server`). */
export declare function checkServerNames(servers: readonly NamedServer[]): readonly Problem[];
export interface Widening {
  readonly path: string;
  readonly from: string;
  readonly to: string;
}
/** `config.general` already contains the owner's settings it narrows: it replaces the owner's. */
export declare function narrowUntrusted(
  project: PosternConfig,
  owner: PosternConfig | undefined,
): { readonly config: PosternConfig; readonly widened: readonly Widening[] };
/** What a trusted project file means on top of the owner's settings: it wins field by field. */
export declare function mergeConfigs(
  owner: PosternConfig | undefined,
  project: PosternConfig,
): PosternConfig;
export declare function toUnresolvedText(entry: ServerEntry): string;
/** Escapes control, bidirectional and invisible characters, for terminals. */
export declare function toPlainText(text: string): string;
export declare function findNearest(word: string, known: readonly string[]): string | undefined;
export declare const serverNamePattern: RegExp;
export declare const emptyPosternConfig: PosternConfig;
export declare const mcpSchema: JsonObject;
export declare const posternSchema: JsonObject;
export declare const configErrors: {
  SERVER_EXISTS: unknown;
  SERVER_UNKNOWN: unknown;
  FILE_BROKEN: unknown;
  INVALID_SERVER: unknown;
  TRUST_CHANGED: unknown;
};
