import type { Place, Problem } from "../problem.js";

/** Which protocol era is spoken to a server: found out, the handshake one, or the stateless one. */
export type ServerProtocol = "auto" | "legacy" | "2026-07-28";

/** A server that is started as a child process. */
export interface StdioTransport {
  readonly kind: "stdio";
  /** The program, never split at spaces and never run through a shell. */
  readonly command: string;
  /** Its arguments; may hold `{env:NAME}`. */
  readonly args: readonly string[];
  /** Variables added to the child's; values may hold `{env:NAME}`. */
  readonly env: Readonly<Record<string, string>>;
  /** Working directory, as written. */
  readonly cwd?: string;
}

/** A server that is reached over streamable HTTP. */
export interface HttpTransport {
  readonly kind: "http";
  /** `http:` or `https:`; may hold `{env:NAME}`. */
  readonly url: string;
  /** Sent with every request; values may hold `{env:NAME}`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Name of the variable that holds a bearer token; the token itself is never stored. */
  readonly tokenEnv?: string;
}

/** One server of `mcp.json` or of a domain, checked; references are still unresolved. */
export interface ServerEntry {
  /** Matches {@link serverNamePattern}. */
  readonly name: string;
  /** How it is reached. */
  readonly transport: StdioTransport | HttpTransport;
  /** As written, else `legacy` for a child process and `auto` over HTTP. */
  readonly protocol: ServerProtocol;
  /** Limit for opening the connection. */
  readonly connectTimeoutMs?: number;
  /** Limit for fetching the list of tools. */
  readonly catalogTimeoutMs?: number;
  /** Limit for one call; 0 is no limit. */
  readonly callTimeoutMs?: number;
  /** Only tools with one of these tags; absent = all; never empty. */
  readonly includeTags?: readonly string[];
  /** No tools with one of these tags. */
  readonly excludeTags?: readonly string[];
  /** Stands before each tool's name; absent = the server's name and `_`. */
  readonly prefix?: string;
  /** Kept in the file, never connected. */
  readonly disabled: boolean;
  /** Where it was written. */
  readonly at?: Place;
}

/** A server that is named in a file and cannot be used, with the reasons. */
export interface BrokenServer {
  /** As written; `[2]` for an entry of the array form that has no name. */
  readonly name: string;
  /** One or more, each an error. */
  readonly problems: readonly Problem[];
}

/** The servers of an `mcp.json`. */
export interface McpConfig {
  /** By name, in a record without a prototype. */
  readonly servers: Readonly<Record<string, ServerEntry>>;
  /** Entries with problems; they never stop the others. */
  readonly broken: readonly BrokenServer[];
  /** `object`: `{ "mcpServers": {…} }`; `array`: `[{ "name": … }]`, as Chimera writes it. */
  readonly form: "object" | "array";
}
