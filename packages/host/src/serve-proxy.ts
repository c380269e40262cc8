import type { Host } from "./host-options.js";
import type { Proxy, ProxyOptions, ProxyTarget } from "./proxy.js";
import { readVersion } from "./version.js";

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
  // Loaded only here: a host that serves nothing should not wait for what serving needs.
  if (target.kind === "http") {
    const { serveOverHttp } = await import("./serve-over-http.js");
    return serveOverHttp(host, target, { ...options, identity });
  }
  const { serveStdio } = await import("@postern/tool-server/stdio");
  return serveStdio(identity, host.tools, {
    // Upstream servers check their own arguments: a second opinion of ours could only differ from theirs.
    validateArguments: false,
    ...(options.onError === undefined ? {} : { onError: options.onError }),
  });
}
