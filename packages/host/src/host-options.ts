import type { ServerState } from "@postern/client-pool";
import type { Problem } from "@postern/config";
import type { AccessLevel } from "@postern/policy";
import type { Source } from "@postern/tool";

/** What a host is opened with. Everything here is the owner's word. */
export interface HostOptions {
  /** The owner's folder: `mcp.json`, `settings.json`, `trust.json`. It need not exist. */
  readonly home: string;
  /** The project folder: its `postern.json` is read, and the bundled tools are contained in it. */
  readonly project: string;
  /** Where `{env:NAME}`, `token_env` and the bundled server's variables are looked up. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The access level. Default: the configuration's, else `full`. */
  readonly level?: AccessLevel;
  /** Only tools with one of these tags. */
  readonly includeTags?: readonly string[];
  /** No tool with one of these tags. */
  readonly excludeTags?: readonly string[];
  /** Only the servers of this domain, and the bundled one. Default: all enabled servers of `mcp.json`. */
  readonly domain?: string;
  /** Whether calls are judged by rules; `observe` only tells, and refuses what nobody may allow. Default: the configuration's, else `off`. */
  readonly guard?: "off" | "observe" | "enforce";
  /** Whether untrusted text is followed into later calls. Default: the configuration's, else not. */
  readonly taint?: boolean;
  /** Start only the server that a tool of this exposed name can belong to. */
  readonly onlyFor?: string;
  /** Start only these servers. */
  readonly onlyServers?: readonly string[];
  /** Limit of one call, in milliseconds; 0 is none. Default: `POSTERN_TOOL_CALL_TIMEOUT`, else 900,000. */
  readonly callTimeoutMs?: number;
  /** How long a server may take to end by itself when the host is closed, in milliseconds. Default 1,000. */
  readonly closeGraceMs?: number;
  /** Is told what the owner may want to see. */
  readonly onEvent?: (event: HostEvent) => void;
}

/** Something for the owner to see; holds no secret. */
export interface HostEvent {
  /** How much it matters. */
  readonly level: "debug" | "info" | "warning";
  /** The server it is about, if any. */
  readonly server?: string;
  /** What happened, in words. */
  readonly message: string;
}

/** The owner's servers as one governed set. */
export interface Host extends AsyncDisposable {
  /** What may be seen and called. */
  readonly tools: Source;
  /** The access level in force. */
  readonly level: AccessLevel;
  /** What is wrong in the configuration and was left out. */
  readonly problems: readonly Problem[];
  /** What the owner should know: untrusted projects, ignored keys. */
  readonly notices: readonly string[];
  /** Each server and its state. */
  servers(): readonly ServerState[];
  /**
   * Finds why a tool that a server lists is not in the set. For the owner only: a caller or model never gets it.
   *
   * @param name - The exposed name.
   * @returns The rule's reason; undefined when the tool is permitted or no server lists it.
   */
  findRefusal(name: string): Promise<string | undefined>;
  /** Ends every connection and every process. */
  close(): Promise<void>;
}
