// @ts-check
// An MCP server of a few tools that starts at once: for what is about the program and not about a server.
import { createInterface } from "node:readline";

const text = "\u001B]0;title\u0007 red \u001B[31m\u202Etxt\n";
const inputSchema = { type: "object" };

/** @type {Readonly<Record<string, { readonly listing: object, readonly result?: object }>>} */
const tools = {
  read_thing: {
    listing: { annotations: { readOnlyHint: true } },
    result: { content: [{ type: "text", text: "thing" }] },
  },
  write_thing: {
    listing: { annotations: { readOnlyHint: false, destructiveHint: true } },
    result: { content: [{ type: "text", text: "written" }] },
  },
  control: { listing: {}, result: { content: [{ type: "text", text }] } },
  ask: { listing: {}, result: { resultType: "input_required", inputRequests: {} } },
  odd: { listing: {}, result: { content: [null, 5, { type: "text", text: "\u009B31m\u202E" }] } },
  fail: { listing: {} },
};

/** @type {Readonly<Record<string, (params: any) => object>>} */
const methods = {
  initialize: () => ({
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "small", version: "1" },
  }),
  "tools/list": () => ({
    tools: Object.entries(tools).map(([name, { listing }]) => ({ name, inputSchema, ...listing })),
  }),
  "tools/call": ({ name }) => tools[name]?.result ?? { content: [], isError: true },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const outcome =
    params?.name === "fail"
      ? { error: { code: -32000, message: "no\u001B[31m database" } }
      : { result: methods[method]?.(params) ?? {} };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...outcome })}\n`);
});
