import type { Readable, Writable } from "node:stream";
import type { Caller } from "@postern/tool";
import type { Serve, ServerIdentity } from "./identity.js";

/** How a stdio server is wired. */
export interface StdioOptions {
  /** Who calls. Default: the owner, for it is the owner who configured the client that started this process. */
  readonly caller?: Caller;
  /** Where messages come from. Default: `process.stdin`. */
  readonly input?: Readable;
  /** Where messages go. Default: `process.stdout`; nothing else may write there. */
  readonly output?: Writable;
  /** Whether arguments are checked against a tool's input schema before the call. Default: true. */
  readonly validateArguments?: boolean;
  /** Gets what never reaches the client: unknown errors, unreadable lines. */
  readonly onError?: (error: unknown) => void;
}

/** A running stdio server. */
export interface StdioServer extends AsyncDisposable {
  /** Resolves when the client is gone or the server was closed. */
  readonly closed: Promise<void>;
  /** Stops reading, aborts running calls. */
  close(): Promise<void>;
}

/** Serves a set over stdio. */
export function serveStdio(
  identity: ServerIdentity,
  tools: Serve,
  options: StdioOptions = {},
): Promise<StdioServer> {
  void identity;
  void tools;
  void options;
  return Promise.reject(new TypeError("soon"));
}
