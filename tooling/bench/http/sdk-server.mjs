import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import { answerParent } from "../measure.mjs";

const tools = [
  {
    name: "echo",
    description: "Says the text again.",
    inputSchema: {
      type: "object",
      properties: { text: { type: "string" } },
      required: ["text"],
    },
  },
];

answerParent();
const handler = createMcpHandler(() => {
  const server = new Server({ name: "bench", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", async () => ({ tools }));
  server.setRequestHandler("tools/call", async ({ params }) => ({
    content: [{ type: "text", text: params.arguments.text }],
  }));
  return server;
});
const answer = toNodeHandler(handler);
const server = createServer((request, response) => void answer(request, response));
server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port, path: "/mcp" }));
