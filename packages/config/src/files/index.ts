import type { McpConfig, PosternConfig, Parsed, JsonObject } from "../index.js";
// INTERIM: the real functions replace these declarations, with these very signatures.
/** Missing file: no servers. Never throws for the file's content. */
export declare function readMcpFile(home: string): Promise<Parsed<McpConfig>>;
/** `server` has the wire's keys (`command`, `token_env`, …); an existing one is refused without `replace` (SERVER_EXISTS). */
export interface ServerToWrite {
  readonly name: string;
  readonly server: JsonObject;
  readonly replace?: boolean;
}
export declare function writeServer(home: string, server: ServerToWrite): Promise<void>;
export declare function deleteServer(home: string, name: string): Promise<boolean>;
/** `change` gets the entry as written (wire keys) and returns it changed; undefined = leave as is. */
export declare function updateServer(
  home: string,
  name: string,
  change: (server: JsonObject) => JsonObject | undefined,
): Promise<void>;
/** One reading of a project file: the digest is that of the very bytes that were parsed. */
export interface PosternFile {
  readonly path: string;
  /** SHA-256 in hex; undefined where the file could not be read. */ readonly sha256:
    | string
    | undefined;
  readonly parsed: Parsed<PosternConfig>;
}
export declare function readPosternFile(path: string): Promise<PosternFile | undefined>;
/** Missing file: `emptyPosternConfig`. */
export declare function readSettings(home: string): Promise<Parsed<PosternConfig>>;
export declare function findProjectFile(directory: string): Promise<string | undefined>;
export type Trust = "trusted" | "changed" | "untrusted";
/** Give the digest of the reading that will be used (`PosternFile.sha256`), so that what was judged is what counts. */
export declare function readTrust(
  home: string,
  projectFile: string,
  sha256?: string,
): Promise<Trust>;
export declare function writeTrust(
  home: string,
  projectFile: string,
  sha256: string,
): Promise<void>;
export declare function deleteTrust(home: string, projectFile: string): Promise<boolean>;
