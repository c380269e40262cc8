import { fc } from "@postern/test-kit";
import { isJsonObject, type JsonObject } from "@postern/tool";
import { describe, expect, it } from "vitest";
import { createCall, envelope, readMessages } from "../../fixtures/messages.js";
import { SampleSource } from "../../fixtures/sample-source.js";
import { createMcpEndpoint } from "../index.js";
import { parsePlainCall } from "../protocol/plain-call.js";
import { createSdkServer } from "../protocol/sdk-server.js";
import { toQuestionSettings } from "../round-trip/question-options.js";
import { RoundTrip } from "../round-trip/round-trip.js";
import { createMcpHandler } from "../sdk.js";

/** The same tools, once with our answer to plain calls and once with every message answered by the SDK. */
const tools = new SampleSource();
const identity = { name: "sample", version: "1" };
const caller = { kind: "remote", id: "a", scopes: [] } as const;
const ours = createMcpEndpoint(identity, tools, { caller });
const report = (): void => undefined;
const roundTrip = new RoundTrip(identity.name, toQuestionSettings(), { report });
const theirs = createMcpHandler(({ era }) =>
  createSdkServer({
    identity,
    tools,
    caller,
    era,
    report,
    roundTrip,
    validateArguments: true,
    canSend: false,
  }),
);

const modern = {
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "tools/call",
  "mcp-name": "echo",
};
const standard = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

type Headers = Readonly<Record<string, string>>;

function createRequest(body: unknown, headers: Headers): Request {
  return new Request("http://127.0.0.1/mcp", {
    method: "POST",
    headers: { ...standard, ...headers },
    body: JSON.stringify(body),
  });
}

/** What a client gets to know: status class, id, and the result or the error's number. */
async function observe(response: Response): Promise<unknown> {
  const messages = await readMessages(response);
  const last = messages.at(-1);
  const error = last?.["error"];
  return {
    status: response.status,
    steps: messages.length,
    id: last?.["id"],
    result: last?.["result"],
    code: isJsonObject(error) ? error["code"] : undefined,
  };
}

const meta = envelope;
const words = fc.constantFrom<unknown>(
  undefined,
  null,
  0,
  -1,
  1.5,
  "",
  "echo",
  "nope",
  "sample_numbers",
  [],
  {},
  { text: "x" },
  { text: 1 },
  "2026-07-28",
  "2025-11-25",
  { roots: {} },
  { elicitation: { form: {} } },
  { name: "c" },
  { name: "c", version: "1" },
  "debug",
);
const places = fc.constantFrom<readonly string[]>(
  ["id"],
  ["jsonrpc"],
  ["method"],
  ["params"],
  ["extra"],
  ["params", "name"],
  ["params", "arguments"],
  ["params", "_meta"],
  ["params", "extra"],
  ["params", "inputResponses"],
  ["params", "requestState"],
  ["params", "_meta", "progressToken"],
  ["params", "_meta", "io.modelcontextprotocol/protocolVersion"],
  ["params", "_meta", "io.modelcontextprotocol/clientCapabilities"],
  ["params", "_meta", "io.modelcontextprotocol/clientInfo"],
  ["params", "_meta", "io.modelcontextprotocol/logLevel"],
);

function change(body: JsonObject, path: readonly string[], value: unknown): JsonObject {
  const [first = "", ...rest] = path;
  const inner = body[first];
  const changed = rest.length === 0 ? value : change(isJsonObject(inner) ? inner : {}, rest, value);
  return { ...body, [first]: changed as string };
}

const headerChanges = fc.dictionary(
  fc.constantFrom("mcp-protocol-version", "mcp-method", "mcp-name", "accept"),
  fc.constantFrom(
    "2026-07-28",
    "2025-11-25",
    "2024-11-05",
    "1999-01-01",
    "tools/call",
    "tools/list",
    "echo",
    " echo ",
    "=?base64?ZWNobw==?=",
    "application/json",
    "*/*",
    "application/json, text/event-stream",
  ),
  { maxKeys: 2 },
);

describe("a plain call", () => {
  it.each<readonly [string, JsonObject, Headers]>([
    ["modern", createCall("echo", { text: "x" }), modern],
    ["modern, of an unknown tool", createCall("nope"), { ...modern, "mcp-name": "nope" }],
    ["modern, that fails", createCall("boom"), { ...modern, "mcp-name": "boom" }],
    [
      "modern, with an array",
      createCall("sample_numbers"),
      { ...modern, "mcp-name": "sample_numbers" },
    ],
    [
      "modern, with progress",
      createCall("echo", { text: "x" }, { meta: { progressToken: 5 } }),
      modern,
    ],
    [
      "older",
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "sample_numbers" } },
      {},
    ],
    [
      "older, with a version",
      { jsonrpc: "2.0", id: "a", method: "tools/call", params: { name: "boom" } },
      { "mcp-protocol-version": "2025-06-18" },
    ],
  ])("is plain, and answered as the SDK answers it: %s", async (_name, body, headers) => {
    const header = (name: string): string | undefined => ({ ...standard, ...headers })[name];
    const isPlain = parsePlainCall(body, header) !== undefined;
    const [our, their] = await Promise.all([
      ours.fetch(createRequest(body, headers)).then(observe),
      theirs.fetch(createRequest(body, headers)).then(observe),
    ]);
    expect([isPlain, our]).toEqual([true, their]);
  });

  it("and any other message is answered as the SDK answers it", async () => {
    const bodies = fc
      .tuple(fc.boolean(), fc.array(fc.tuple(places, words), { minLength: 0, maxLength: 3 }))
      .map(([isModern, changes]) => {
        const params = {
          name: "echo",
          arguments: { text: "x" },
          ...(isModern ? { _meta: meta } : {}),
        };
        const body: JsonObject = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
        let changed = body;
        for (const [path, value] of changes) changed = change(changed, path, value);
        return { isModern, body: changed };
      });
    await fc.assert(
      fc.asyncProperty(bodies, headerChanges, async ({ isModern, body }, changes) => {
        const headers = { ...(isModern ? modern : {}), ...changes };
        const [our, their] = await Promise.all([
          ours.fetch(createRequest(body, headers)).then(observe),
          theirs.fetch(createRequest(body, headers)).then(observe),
        ]);
        expect(our).toEqual(their);
      }),
      { numRuns: 300 },
    );
  });
});
