import { byAccess } from "@postern/policy";
import type { ToolSet } from "@postern/tool";
import { bearerAuthentication, createBearer, createMcpEndpoint } from "@postern/tool-server";
import type { McpEndpoint, ServerIdentity } from "@postern/tool-server";
import { serveHttp } from "@postern/tool-server/node";
import { hostErrors } from "./errors.js";
import type { Host } from "./host-options.js";
import type { Proxy, ProxyOptions, ProxyTarget } from "./proxy.js";

type HttpTarget = Extract<ProxyTarget, { readonly kind: "http" }>;

/**
 * Serves a host's governed set over HTTP.
 *
 * @param host - The host.
 * @param target - Where to listen, and for whom.
 * @param options - Identity, token, log.
 * @returns The running proxy.
 * @throws {PosternError} `NO_AUTH_REFUSED`; `OPEN_BIND` of the server.
 */
export async function serveOverHttp(
  host: Host,
  target: HttpTarget,
  options: ProxyOptions & { readonly identity: ServerIdentity },
): Promise<Proxy> {
  const { port, host: address, allowHosts = [], noAuth = false } = target;
  const token = noAuth ? undefined : (options.token ?? createBearer());
  const tools = noAuth ? await toOpenSet(host, allowHosts) : host.tools;
  const endpoint = createMcpEndpoint(options.identity, tools, {
    validateArguments: false, // as over stdio: the upstream server's own check is the one that counts
    allowedHosts: allowHosts,
    ...(options.onError === undefined ? {} : { onError: options.onError }),
    ...(token === undefined ? {} : { authenticate: toAuthenticate(token) }),
  });
  const listening = { port, ...(address === undefined ? {} : { host: address }) };
  const proxy = await listen(endpoint, listening);
  return token === undefined ? proxy : { ...proxy, token };
}

/** Whoever shows the token is a remote caller: it may call, and answers nothing in the owner's place. */
function toAuthenticate(token: string): ReturnType<typeof bearerAuthentication> {
  return bearerAuthentication([{ token, caller: { kind: "remote", id: "bearer", scopes: [] } }]);
}

async function listen(
  endpoint: McpEndpoint,
  listening: { readonly port: number; readonly host?: string },
): Promise<Proxy> {
  const server = await serveHttp(endpoint, listening);
  let end!: () => void;
  const closed = new Promise<void>((resolve) => {
    end = resolve;
  });
  const close = async (): Promise<void> => {
    await server.close();
    await endpoint.close();
    end();
  };
  return { closed, url: server.url, close, [Symbol.asyncDispose]: close };
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
