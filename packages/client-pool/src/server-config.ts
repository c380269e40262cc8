/** A server that is a command, spoken to over its standard input and output. */
export interface StdioTarget {
  /** The program: a name that is looked up in `PATH`, or a path. */
  readonly command: string;
  /** Its arguments, each passed as it is; no shell is involved. */
  readonly args?: readonly string[];
  /** Variables it gets beside the safe base (`HOME`, `PATH`, …); nothing else of ours reaches it. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder it runs in. Default: this process's. */
  readonly cwd?: string;
}

/** A server behind a URL, spoken to over streamable HTTP. */
export interface HttpTarget {
  /** The endpoint, `http:` or `https:`. */
  readonly url: string;
  /** Headers of every request. They count as credentials: sent only over https or to a loopback address. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Which protocol revision to speak: `legacy` is the `initialize` handshake (up to 2025-11-25), `2026-07-28` exactly
 * that, `auto` asks the server first and falls back to `legacy`.
 */
export type ServerProtocol = "auto" | "legacy" | "2026-07-28";

/** What may be set for any server. */
export interface ServerSettings {
  /** Default `legacy` for commands (older ones may exit on a question they do not know), `auto` for URLs. */
  readonly protocol?: ServerProtocol;
  /** How long starting and the handshake may take, in milliseconds. Default 30,000. */
  readonly connectTimeoutMs?: number;
  /** How long reading one whole list may take, in milliseconds. Default 30,000. */
  readonly catalogTimeoutMs?: number;
  /** How long one call may take, in milliseconds; 0: no limit. Default: that of the pool. */
  readonly callTimeoutMs?: number;
  /** Shown by `servers()`, never connected. */
  readonly disabled?: boolean;
  /** What the names of its tools and prompts are preceded by. Default: its name and `_`; `""` leaves names as they are. */
  readonly prefix?: string;
  /** The server is our own bundled one: only then does its tag `bundled` count. */
  readonly bundled?: boolean;
  /** Let the server's instructions cross; without it they are dropped. */
  readonly instructions?: boolean;
}

/** One server of a pool. */
export type ServerConfig = (StdioTarget | HttpTarget) & ServerSettings;
