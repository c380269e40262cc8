import type { JsonObject, ListingKind } from "@postern/tool";
import type { FetchLike, Transport } from "./sdk.js";
import type { ServerConfig, StdioTarget } from "./server-config.js";
import type { ListingProblem } from "./server-state.js";

/** The connection to a command, as the pool uses it. */
export interface StdioTransport extends Transport {
  /** The process, once started. */
  readonly pid: number | null;
  /** How many lines of its standard output were not protocol. */
  readonly noiseLines: number;
  /** What it last wrote to standard error. */
  stderrTail(): string;
  /** Why it closed by itself; undefined while it is open, and when it was closed from our side. */
  closeReason(): StdioCloseReason | undefined;
}

/** Why the connection to a command closed by itself. */
export interface StdioCloseReason {
  /** The process ended, it closed its output, it sent a message that is too long, or it reads no answers. */
  readonly kind: "exited" | "output_closed" | "too_large" | "not_reading";
  /** In words that follow "the connection was lost:", for instance `it exited with code 1`. */
  readonly text: string;
}

/** What a {@link ConnectStdio} gets beside the command. */
export interface StdioContext {
  /** The owner's name for the server. */
  readonly server: string;
  /** Our own environment, from which the safe base of the child's is taken. */
  readonly baseEnv: Readonly<Record<string, string | undefined>>;
  /** The longest message that is taken, in bytes. */
  readonly maxMessageBytes: number;
  /** How long it may take to end by itself once it is told to, in milliseconds. Default 1,000. */
  readonly closeGraceMs?: number;
}

/** Prepares the connection to a command; it is started by the pool. */
export type ConnectStdio = (target: StdioTarget, context: StdioContext) => StdioTransport;

/** What happened in a pool. No event holds arguments, results or credentials. */
export type PoolEvent =
  | { readonly type: "connected"; readonly server: string }
  | {
      readonly type: "failed" | "lost";
      readonly server: string;
      readonly code: string;
      readonly reason: string;
    }
  | ({ readonly type: "dropped" | "repaired"; readonly server: string } & ListingProblem)
  | { readonly type: "changed"; readonly server: string; readonly kind: ListingKind }
  | {
      readonly type: "notification";
      readonly server: string;
      readonly method: string;
      readonly params: JsonObject;
    };

/** How a pool connects and calls. */
export interface PoolOptions {
  /** Starts commands: `stdioTransport` of `@postern/client-pool/stdio`. Without it only URLs can be connected. */
  readonly stdio?: ConnectStdio;
  /** The environment from which commands get their safe base (`PATH`, `HOME`, …). Default: empty. */
  readonly baseEnv?: Readonly<Record<string, string | undefined>>;
  /**
   * Called just before each connection, to put in what must not be kept: values of environment references. Only the
   * target counts of what it returns. A value it changes counts as a credential and is masked in every reason.
   */
  readonly resolve?: (name: string, config: ServerConfig) => ServerConfig | Promise<ServerConfig>;
  /** How long one call may take, in milliseconds. Default 900,000; 0: no limit. */
  readonly callTimeoutMs?: number;
  /**
   * How long `connectServers` waits for servers, in milliseconds. Servers that are not ready by then join the list
   * when they are. Default: until each is connected or has failed, which its own limits bound.
   */
  readonly readyTimeoutMs?: number;
  /**
   * How long a command may take to end by itself when it is closed, in milliseconds; then it gets SIGTERM, and a second
   * later SIGKILL. Default 1,000.
   */
  readonly closeGraceMs?: number;
  /** The longest message that is taken from a server, in bytes. Default 16 MiB. */
  readonly maxMessageBytes?: number;
  /** Makes HTTP requests. Default: the global `fetch`. */
  readonly fetch?: FetchLike;
  /** Tells the time, for tests. */
  readonly clock?: () => number;
  /** How we introduce ourselves to servers. Default: `postern` without a version. */
  readonly clientInfo?: { readonly name: string; readonly version: string };
  /** Told what happens. What it throws is ignored. */
  readonly onEvent?: (event: PoolEvent) => void;
}
