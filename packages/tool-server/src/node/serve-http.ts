import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { serverErrors } from "../errors.js";
import { isLoopbackHost } from "../http/door.js";
import { findExchangeFace } from "../http/exchange-face.js";
import { NodeExchange } from "./node-exchange.js";

/** What `serveHttp` needs of an endpoint; that of `createMcpEndpoint` fits, and so does any other `fetch`. */
export interface ServableEndpoint {
  /** Answers one request. */
  readonly fetch: (request: Request) => Promise<Response> | Response;
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
  /** How long `close` lets running requests finish, in milliseconds. Default: 5,000. */
  readonly drainMs?: number;
}

/** A listening server. */
export interface HttpServer extends AsyncDisposable {
  /** Where clients find it, for instance `http://127.0.0.1:41234/mcp`. */
  readonly url: string;
  /** The port it got. */
  readonly port: number;
  /** Stops accepting, ends streams, lets running requests finish within the drain time, then cuts them. */
  close(): Promise<void>;
}

/** Slow senders are cut, slow answers never: a call may run for as long as it needs. */
const timeouts = {
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
};
const defaultDrainMs = 5_000;

/**
 * Serves an endpoint over HTTP/1.1. The only code of Postern that opens a port. An endpoint of `createMcpEndpoint` is
 * served without building a `Request` and a `Response` per call; any other `fetch` gets them. No global object of the
 * process is replaced.
 *
 * @param endpoint - What answers. Host, Origin and credentials are its matter.
 * @param options - Where to listen.
 * @returns The server, listening.
 * @throws {PosternError} `OPEN_BIND` for an address or host name beyond this machine without authentication;
 *   `PORT_UNAVAILABLE` when the port cannot be had.
 */
export async function serveHttp(
  endpoint: ServableEndpoint,
  options: HttpOptions = {},
): Promise<HttpServer> {
  const { host = "127.0.0.1", port = 0, drainMs = defaultDrainMs } = options;
  assertClosed(endpoint, host);
  const face = findExchangeFace(endpoint);
  const foreign = getRequestListener(endpoint.fetch, { overrideGlobalObjects: false });
  const server = createServer(timeouts, (incoming, outgoing) => {
    if (face === undefined) void foreign(incoming, outgoing);
    else void face.handle(new NodeExchange(incoming, outgoing));
  });
  const sockets = trackSockets(server);
  const bound = await listen(server, { host, port });
  const shown = host.includes(":") ? `[${host}]` : host;
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> =>
    (closing ??= drain(server, { drainMs, sockets, endStreams: () => face?.drain() }));
  return Object.freeze({
    url: `http://${shown}:${bound}${endpoint.path ?? "/mcp"}`,
    port: bound,
    close,
    [Symbol.asyncDispose]: close,
  });
}

function assertClosed(endpoint: ServableEndpoint, host: string): void {
  if (endpoint.authenticated) return;
  const open = [...(endpoint.allowedHosts ?? [])].find((name) => !isLoopbackHost(name));
  if (!isLoopbackHost(host)) throw serverErrors.OPEN_BIND({ reach: `on the address ${host}` });
  // A tunnel or proxy in front makes a loopback port as open as any other.
  if (open !== undefined) throw serverErrors.OPEN_BIND({ reach: `under the name ${open}` });
}

function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<number> {
  return new Promise((resolve, reject) => {
    // Stays: an error event that nobody hears ends the process.
    server.on("error", (cause: NodeJS.ErrnoException) =>
      reject(
        serverErrors.PORT_UNAVAILABLE({ host, port, reason: cause.code ?? "error" }, { cause }),
      ),
    );
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => void sockets.delete(socket));
  });
  return sockets;
}

interface Draining {
  readonly drainMs: number;
  readonly sockets: ReadonlySet<Socket>;
  readonly endStreams: () => Promise<void> | undefined;
}

async function drain(server: Server, { drainMs, sockets, endStreams }: Draining): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  await endStreams();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), drainMs);
  // A connection that was busy when we looked is idle once it has answered.
  const sweep = setInterval(() => {
    server.closeIdleConnections();
    // Node takes one that was opened in advance, and never used, for busy.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  }, 20);
  await closed;
  clearTimeout(timer);
  clearInterval(sweep);
}
