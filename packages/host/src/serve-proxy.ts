import { byAccess } from "@postern/policy";
import type { ToolSet } from "@postern/tool";
import { bearerAuthentication, createBearer, createMcpEndpoint } from "@postern/tool-server";
import type { ServerIdentity } from "@postern/tool-server";
import { serveHttp } from "@postern/tool-server/node";
import { serveStdio } from "@postern/tool-server/stdio";
import { hostErrors } from "./errors.js";
import type { Host } from "./host-options.js";
import { readVersion } from "./version.js";

/** Where a governed set is served. */
export type ProxyTarget =
  | { readonly kind: "stdio" }
  | {
      readonly kind: "http";
      /** 0 takes a free one. */
      readonly port: number;
      /** Address to listen on. Default: `127.0.0.1`. */
      readonly host?: string;
      /** Further host names that requests may be addressed to, for a tunnel or a reverse proxy. */
      readonly allowHosts?: readonly string[];
      /** Serve without a bearer: only on loopback, and only what `read_only` permits. */
      readonly noAuth?: boolean;
    };

/** How a proxy introduces itself and reports. */
export interface ProxyOptions {
  /** Default: `postern`, and the version of this package. */
  readonly identity?: ServerIdentity;
  /** The bearer token. Default: a new one. */
  readonly token?: string;
  /** Gets what never reaches a caller. */
  readonly onError?: (error: unknown) => void;
}

/** A governed set that is being served. */
export interface Proxy extends AsyncDisposable {
  /** Resolves when the client is gone, or the proxy was closed. */
  readonly closed: Promise<void>;
  /** Where HTTP clients find it. */
  readonly url?: string;
  /** What HTTP clients must show, unless it serves without. */
  readonly token?: string;
  /** Stops serving. The host stays open. */
  close(): Promise<void>;
}

/**
 * Serves a host's governed set to other MCP clients.
 *
 * Over stdio the caller is the owner, who configured the client. Over HTTP a bearer is asked for, also on loopback,
 * and its bearer is a remote caller: it can answer nothing in the owner's place.
 *
 * @param host - The host.
 * @param target - Where to serve.
 * @param options - Identity, token, log.
 * @returns The running proxy.
 * @throws {PosternError} `NO_AUTH_REFUSED` when serving without a bearer would be unsafe; `OPEN_BIND` of the server.
 */
export async function serveProxy(
  host: Host,
  target: ProxyTarget,
  options: ProxyOptions = {},
): Promise<Proxy> {
  const identity = options.identity ?? { name: "postern", version: readVersion() };
  // Upstream servers check their own arguments: a second opinion of ours could only differ from theirs.
  const shared = {
    validateArguments: false,
    ...(options.onError === undefined ? {} : { onError: options.onError }),
  };
  if (target.kind === "stdio") return serveStdio(identity, host.tools, shared);
  const { port, host: address, allowHosts = [], noAuth = false } = target;
  const token = noAuth ? undefined : (options.token ?? createBearer());
  const tools = noAuth ? await toOpenSet(host, allowHosts) : host.tools;
  const endpoint = createMcpEndpoint(identity, tools, {
    ...shared,
    allowedHosts: allowHosts,
    ...(token === undefined
      ? {}
      : {
          authenticate: bearerAuthentication([
            { token, caller: { kind: "remote", id: "bearer", scopes: [] } },
          ]),
        }),
  });
  const listening = { port, ...(address === undefined ? {} : { host: address }) };
  const server = await serveHttp(endpoint, listening);
  const { promise: closed, resolve } = withResolvers();
  const close = async (): Promise<void> => {
    await server.close();
    await endpoint.close();
    resolve();
  };
  return {
    closed,
    url: server.url,
    ...(token === undefined ? {} : { token }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Without a bearer every local program is a caller, so nothing but reads may be there, now or after a change. */
async function toOpenSet(host: Host, allowHosts: readonly string[]): Promise<ToolSet> {
  if (allowHosts.length > 0)
    throw hostErrors.NO_AUTH_REFUSED({ because: "a host name beyond loopback is allowed" });
  const readOnly = byAccess("read_only");
  const listings = await host.tools.list();
  const other = listings.filter((listing) => !readOnly(listing).allow);
  if (host.level !== "read_only" && other.length > 0)
    throw hostErrors.NO_AUTH_REFUSED({
      because: `${other.length} of its tools, such as ${other[0]?.name ?? ""}, may change something`,
    });
  return host.level === "read_only" ? host.tools : host.tools.restrict(readOnly);
}

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
