import { defineTool, toolSet } from "@postern/tool";
import { bearerAuthentication, createBearer, createMcpEndpoint } from "@postern/tool-server";
import { serveHttp } from "@postern/tool-server/node";
import { z } from "zod";
import { answerParent } from "../measure.mjs";

answerParent();
const echo = defineTool({
  name: "echo",
  description: "Says the text again.",
  input: z.object({ text: z.string() }),
  run: ({ text }) => text,
});
const token = createBearer();
const caller = { kind: "remote", id: "bench", scopes: [] };
const endpoint = createMcpEndpoint({ name: "bench", version: "1.0.0" }, toolSet([echo]), {
  authenticate: bearerAuthentication([{ token, caller }]),
});
const server = await serveHttp(endpoint);
process.send({ port: server.port, path: "/mcp", token });
