import { connectServers } from "@postern/client-pool";
import { stdioTransport } from "@postern/client-pool/stdio";
import { createCallContext } from "@postern/tool";
import { answerParent } from "../measure.mjs";
import { echoServer, measureCalls, text } from "./calls.mjs";

const pool = await connectServers(
  { echo: echoServer },
  { stdio: stdioTransport, baseEnv: process.env },
);
await pool.list();
const call = () =>
  pool.call({ name: "echo_echo", arguments: { text }, context: createCallContext() });
const first = await call();
if (first.content?.[0]?.text !== text)
  throw new TypeError(`wrong answer: ${JSON.stringify(first)}`);
answerParent({ call: (how) => measureCalls(call, how) });
process.send("ready");
