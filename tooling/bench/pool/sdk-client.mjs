import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { answerParent } from "../measure.mjs";
import { echoServer, measureCalls, text } from "./calls.mjs";

/** The SDK's cheapest call: `request` with a schema that passes everything. */
const anything = { "~standard": { version: 1, vendor: "bench", validate: (value) => ({ value }) } };
const client = new Client({ name: "bench", version: "1.0.0" });
await client.connect(new StdioClientTransport(echoServer));
await client.request({ method: "tools/list" }, anything);
const params = { name: "echo", arguments: { text } };
const call = () => client.request({ method: "tools/call", params }, anything);
answerParent({ call: (how) => measureCalls(call, how) });
process.send("ready");
