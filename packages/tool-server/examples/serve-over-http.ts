import { bearerAuthentication, createBearer, createMcpEndpoint } from "@postern/tool-server";
import { serveHttp } from "@postern/tool-server/node";
import { defineTool, toolSet } from "@postern/tool";
import { z } from "zod";

const echo = defineTool({
  name: "echo",
  description: "Says the text again.",
  input: z.object({ text: z.string() }),
  annotations: { readOnlyHint: true },
  run: ({ text }) => text,
});

const token = createBearer();
const endpoint = createMcpEndpoint({ name: "echoes", version: "1.0.0" }, toolSet([echo]), {
  authenticate: bearerAuthentication([
    { token, caller: { kind: "remote", id: "ann", scopes: [] } },
  ]),
});
const server = await serveHttp(endpoint);

// Any MCP client can connect to server.url with the token; this is what one sends.
const call = (authorization: string, text: unknown): Promise<Response> =>
  fetch(server.url, {
    method: "POST",
    headers: {
      authorization,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "echo", arguments: { text } },
    }),
  });

console.log("without the token:", (await call("Bearer guess", "hello")).status);
console.log("with it:", await (await call(`Bearer ${token}`, "hello")).text());
const wrong = (await (await call(`Bearer ${token}`, 5)).json()) as {
  result: { structuredContent: { error: string; problems: string[] } };
};
const { error, problems } = wrong.result.structuredContent;
console.log("wrong arguments:", error, problems);

await server.close();
await endpoint.close();
