import { intercept } from "@postern/tool";
import { bearerAuthentication, createMcpEndpoint } from "@postern/tool-server";
import { serveHttp, type HttpServer } from "@postern/tool-server/node";
import { domainTools } from "../domain/domain-tools.js";
import { createCallQuota } from "../interceptors/call-quota.js";
import type { DomainServerFlags } from "./domain-server-flags.js";

/** The server, and what it serves. */
export interface DomainServer extends HttpServer {
  /** Names of the tools, in the order they are listed. */
  readonly tools: readonly string[];
}

/**
 * Serves the domain's tools over streamable HTTP at `/mcp`. Without a token whoever reaches the port may call, so only
 * tools that change nothing and run nothing are served; with one, also those that run code.
 *
 * @param options - Address, port and token, and the server's version.
 * @returns The server, listening.
 * @throws {PosternError} `OPEN_BIND` without a token on another address than loopback; `PORT_UNAVAILABLE`.
 */
export async function serveDomain(
  options: DomainServerFlags & { readonly version: string },
): Promise<DomainServer> {
  const { host, port, token, version } = options;
  const tools = intercept(
    domainTools({ code: token !== undefined }),
    createCallQuota({ maxCalls: 600, perMs: 60_000 }),
  );
  const guest = { kind: "remote", id: "token", scopes: [] } as const;
  const endpoint = createMcpEndpoint(
    { name: "example-neuroml", version, title: "Cell models (an example)" },
    tools,
    token === undefined ? {} : { authenticate: bearerAuthentication([{ token, caller: guest }]) },
  );
  const server = await serveHttp(endpoint, { host, port });
  const close = async (): Promise<void> => {
    await server.close();
    await endpoint.close();
  };
  return Object.freeze({
    url: server.url,
    port: server.port,
    tools: (await tools.list()).map(({ name }) => name),
    close,
    [Symbol.asyncDispose]: close,
  });
}
