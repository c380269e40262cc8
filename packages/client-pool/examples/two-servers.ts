import { connectServers } from "@postern/client-pool";
import { stdioTransport } from "@postern/client-pool/stdio";
import { createCallContext } from "@postern/tool";

// A whole MCP server, so that this runs anywhere. Yours will be a program: { command: "npx", args: ["-y", "…"] }.
const server = `
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "clock", version: "1.0.0" } }),
  "tools/list": () => ({ tools: [{ name: "add_hours", inputSchema: { type: "object" } }] }),
  "tools/call": ({ arguments: { hour, hours } }) => ({ content: [{ type: "text", text: String((hour + hours) % 24) }] }),
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method](params) }));
});`;

await using pool = await connectServers(
  {
    clock: { command: process.execPath, args: ["-e", server] },
    weather: { command: "no-such-weather-server" },
  },
  { stdio: stdioTransport, baseEnv: process.env },
);

for (const { name } of await pool.list()) console.log(`tool ${name}`);
for (const { name, state } of pool.servers()) console.log(`server ${name}: ${state}`);

const result = await pool.call({
  name: "clock_add_hours",
  arguments: { hour: 22, hours: 5 },
  context: createCallContext(),
});
console.log(JSON.stringify(result));
