import { PassThrough } from "node:stream";
import { defineTool, toolSet } from "@postern/tool";
import { serveStdio } from "@postern/tool-server/stdio";
import { z } from "zod";

const add = defineTool({
  name: "add",
  description: "Adds two numbers.",
  input: z.object({ a: z.number(), b: z.number() }),
  annotations: { readOnlyHint: true },
  run: ({ a, b }) => ({ sum: a + b }),
});

// A program of its own leaves `input` and `output` out: then they are its stdin and stdout.
const input = new PassThrough();
const output = new PassThrough();
const server = await serveStdio({ name: "sums", version: "1.0.0" }, toolSet([add]), {
  input,
  output,
});

const params = { name: "add", arguments: { a: 2, b: 3 } };
input.end(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })}\n`);
await server.closed;
console.log(String(output.read()).trim());
