import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createSafeFetch } from "@postern/safe-fetch";
import { expect, it } from "vitest";
import { createRootFolder } from "../../files/root-folder.js";
import { createSearchProviders } from "./web-search.js";

/** Asks Tavily at a server of loopback, and gives the code that it fails with. */
async function fail(answer: RequestListener, timeoutMs = 5_000, key?: string): Promise<unknown> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await using fetch = createSafeFetch({ allowHosts: () => [`127.0.0.1:${port}`] });
  const [tavily] = createSearchProviders({
    root: createRootFolder("/"),
    env: (name) => (name === "TAVILY_API_KEY" ? key : undefined),
    guard: { isRoot: () => false, allowRoot: () => false },
    fetch,
    searchEndpoints: { tavily: `http://127.0.0.1:${port}/mcp` },
  });
  const { signal } = new AbortController();
  try {
    await tavily!.search({ query: "paint", maxResults: 3, timeoutMs, signal });
    return undefined;
  } catch (error) {
    return (error as { readonly code?: unknown }).code;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const json = { "content-type": "application/json" };
const refused = { jsonrpc: "2.0", id: 1, result: { isError: true, content: [] } };

it("tells an error result, an answer that is none, silence and a bad key apart", async () => {
  expect([
    await fail((_, response) => response.writeHead(200, json).end(JSON.stringify(refused))),
    await fail((_, response) => response.writeHead(200, json).end("{")),
    await fail((_, response) => response.writeHead(503).end()),
    await fail((_, response) => response.writeHead(429).end()),
    await fail(() => undefined, 300),
    await fail((_, response) => response.end(), 300, "key\nX-Evil: 1"),
  ]).toEqual([
    "PROVIDER_REFUSED",
    "PROVIDER_MALFORMED",
    "PROVIDER_STATUS",
    "PROVIDER_RATE_LIMITED",
    "FETCH_TIMEOUT",
    "PROVIDER_KEY_INVALID",
  ]);
});
