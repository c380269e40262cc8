/** What `serveHttp` needs of an endpoint; that of `createMcpEndpoint` fits, and so does any other `fetch`. */
export interface ServableEndpoint {
  /** Answers one request. */
  fetch(request: Request): Promise<Response> | Response;
  /** Whether it asks who sends a request. */
  readonly authenticated: boolean;
  /** Host names it answers to beside the loopback names. */
  readonly allowedHosts?: readonly string[];
  /** The path it serves, for the URL. Default: `/mcp`. */
  readonly path?: string;
}

/** Where a server listens. */
export interface HttpOptions {
  /** Address to listen on. Default: `127.0.0.1`. Any other than loopback needs an authenticated endpoint. */
  readonly host?: string;
  /** Port; 0 takes a free one. Default: 0. */
  readonly port?: number;
  /** How long `close` lets running requests finish. Default: 5,000. */
  readonly drainMs?: number;
}

/** A listening server. */
export interface HttpServer extends AsyncDisposable {
  /** Where clients find it, for instance `http://127.0.0.1:41234/mcp`. */
  readonly url: string;
  /** The port it got. */
  readonly port: number;
  /** Stops accepting, lets running requests finish within the drain time, then cuts them. */
  close(): Promise<void>;
}

/** Serves an endpoint over HTTP. The only code of Postern that opens a port. */
export function serveHttp(
  endpoint: ServableEndpoint,
  options: HttpOptions = {},
): Promise<HttpServer> {
  void endpoint;
  void options;
  return Promise.reject(new TypeError("soon"));
}
