import { createServer } from "node:http";
import { answerParent } from "../measure.mjs";

answerParent();
/** The floor: read, parse, answer. */
const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const { id, params } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    const result = { content: [{ type: "text", text: params.arguments.text }] };
    const body = JSON.stringify({ jsonrpc: "2.0", id, result });
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    });
    response.end(body);
  });
});
server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port, path: "/mcp" }));
