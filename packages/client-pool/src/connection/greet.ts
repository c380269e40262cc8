import { isJsonObject, type JsonObject, type JsonValue } from "@postern/tool";
import { poolErrors } from "../errors.js";
import type { JSONRPCMessage } from "../sdk.js";
import type { Connection } from "./connection.js";
import { toShown } from "./to-shown.js";
import { timedOut, type Wire } from "./wire.js";

/** Whom to greet, and as whom. */
export interface Greeting {
  /** The owner's name for the server. */
  readonly server: string;
  readonly clientInfo: { readonly name: string; readonly version: string };
}

/** Every revision that begins with `initialize`, newest first. */
const revisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];

const methodNotFound = -32_601;

/**
 * Shakes hands with a command as every revision up to 2025-11-25 does, without the SDK: a command that starts would
 * otherwise wait for it to load.
 *
 * @param wire - The connection, started here; its end and its time limit are the caller's to watch.
 * @param greeting - Whom to greet.
 * @returns What the server said of itself.
 * @throws {PosternError} `CONNECT_FAILED`
 * @see MCP 2025-11-25, Lifecycle, Initialization
 */
export async function greet(
  wire: Wire,
  { server, clientInfo }: Greeting,
): Promise<Omit<Connection, "noiseLines" | "close" | "pid">> {
  await wire.start();
  Object.assign(wire, {
    onmessage: (message: JSONRPCMessage) => answerServer(wire, message),
  } satisfies Partial<Wire>);
  const params = { protocolVersion: revisions[0], capabilities: {}, clientInfo };
  const reply = await wire.request({ method: "initialize", params, timeoutMs: 0 });
  const fail = (reason: string) => poolErrors.CONNECT_FAILED({ server, reason });
  if (reply === timedOut) throw fail("it did not answer the handshake");
  if (isJsonObject(reply.error) && typeof reply.error["code"] === "number")
    throw fail(`it refused the handshake with the error ${reply.error["code"]}`);
  const { result } = reply;
  if (!isJsonObject(result) || typeof result["protocolVersion"] !== "string")
    throw fail("its answer to the handshake was not understood");
  const { protocolVersion, capabilities, instructions } = result;
  if (!revisions.includes(protocolVersion))
    throw fail("it speaks a protocol revision that is not known here");
  await wire.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return {
    wire,
    era: "legacy",
    protocolVersion,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    ...toServerInfo(result["serverInfo"]),
    ...(typeof instructions === "string" ? { instructions } : {}),
    // A server of this era tells its changes unasked.
    watch: () => ({ close: () => undefined }),
  };
}

function toServerInfo(info: JsonValue | undefined): Pick<Connection, "serverInfo"> {
  if (!isJsonObject(info)) return {};
  const { name, version } = info;
  if (typeof name !== "string" || typeof version !== "string") return {};
  return { serverInfo: Object.freeze({ name: toShown(name), version: toShown(version) }) };
}

/** We declare no capability, so all that a server may ask is whether we are there. */
function answerServer(wire: Wire, message: JSONRPCMessage): void {
  const { id, method } = message as JsonObject;
  if (typeof method !== "string" || (typeof id !== "string" && typeof id !== "number")) return;
  const answer: JSONRPCMessage =
    method === "ping"
      ? { jsonrpc: "2.0", id, result: {} }
      : { jsonrpc: "2.0", id, error: { code: methodNotFound, message: "Method not found" } };
  wire.send(answer).catch(() => undefined);
}
