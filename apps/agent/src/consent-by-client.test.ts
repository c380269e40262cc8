import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { isJsonObject, type JsonObject } from "@postern/tool";
import { expect, test } from "vitest";
import { openBench, type Bench } from "../test/built-program.js";

interface Stage extends Bench {
  /** A call that reads a file outside the project. */
  readonly call: JsonObject;
}

async function openStage(): Promise<Stage> {
  const bench = await openBench({ bundled: true, env: { POSTERN_ALLOW_ROOT_TOOLS: "1" } });
  const folder = join(dirname(bench.project), "out");
  await mkdir(folder);
  await writeFile(join(folder, "a.txt"), "content outside\n");
  return { ...bench, call: { name: "bundled_read_file", arguments: { path: "../out/a.txt" } } };
}

/** What the person behind the client answers to a form. */
type Person = (params: JsonObject) => JsonObject;

interface Client extends AsyncDisposable {
  request(method: string, params: JsonObject): Promise<JsonObject>;
  notify(method: string): void;
}

/** A client of the served program over its pipes. */
function connect(child: ChildProcess, person?: Person): Client {
  const waiting = new Map<unknown, (message: JsonObject) => void>();
  const send = (message: object): void =>
    void child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const take = (line: string): void => {
    const message = JSON.parse(line) as JsonObject;
    const { id, method, params } = message;
    if (method === "elicitation/create" && isJsonObject(params))
      send({ id, result: person?.(params) ?? { action: "cancel" } });
    else waiting.get(id)?.(message);
  };
  if (child.stdout) createInterface({ input: child.stdout }).on("line", take);
  let last = 0;
  return {
    notify: (method) => send({ method }),
    async request(method, params) {
      last += 1;
      const answered = new Promise<JsonObject>((resolve) => waiting.set(last, resolve));
      send({ id: last, method, params });
      const { result, error } = await answered;
      return (result ?? { error: error ?? null }) as JsonObject;
    },
    async [Symbol.asyncDispose]() {
      child.stdin?.end();
      if (child.exitCode === null) await once(child, "close");
    },
  };
}

const clientInfo = { name: "test", version: "1" };
/** The text has it also where the tool's output schema has no room for it. */
const outcomeOf = (result: JsonObject): string =>
  /content outside|PATH_DENIED/.exec(JSON.stringify(result))?.[0] ?? "";

async function connectLegacy(stage: Stage, person?: Person): Promise<Client> {
  const client = connect(stage.start("serve", "--proxy"), person);
  const capabilities = person === undefined ? {} : { elicitation: {} };
  await client.request("initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo });
  client.notify("notifications/initialized");
  return client;
}

const toModern = (call: JsonObject, capabilities: JsonObject): JsonObject => ({
  ...call,
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": capabilities,
    "io.modelcontextprotocol/clientInfo": clientInfo,
  },
});
const canElicit = { elicitation: { form: {} } };

test.concurrent.each([
  ["once", "content outside"],
  ["session", "content outside"],
  ["deny", "PATH_DENIED"],
  ["always", "PATH_DENIED"],
  ["session_folder", "PATH_DENIED"],
])("the person behind a client of 2025-11-25 answers %s", async (answer, outcome) => {
  await using stage = await openStage();
  const forms: JsonObject[] = [];
  await using client = await connectLegacy(stage, (form) => {
    forms.push(form);
    return { action: "accept", content: { answer } };
  });
  const result = await client.request("tools/call", stage.call);
  expect(outcomeOf(result)).toBe(outcome);
  expect(forms).toMatchObject([
    {
      message: expect.stringMatching(/^Postern asks for the owner\.\nThe tool "bundled_read_file"/),
    },
  ]);
});

test.concurrent("the person behind a client of 2026-07-28 answers, once for each state", async () => {
  await using stage = await openStage();
  await using client = connect(stage.start("serve", "--proxy"));
  const call = toModern(stage.call, canElicit);
  const asked = await client.request("tools/call", call);
  expect(asked).toMatchObject({ resultType: "input_required" });
  const [key = ""] = Object.keys(asked["inputRequests"] as JsonObject);
  expect(JSON.stringify(asked["inputRequests"])).toContain("Postern asks for the owner.");
  const retry = {
    ...call,
    requestState: asked["requestState"] ?? null,
    inputResponses: { [key]: { action: "accept", content: { answer: "once" } } },
  };
  expect(JSON.stringify(await client.request("tools/call", retry))).toContain("content outside");
  expect(JSON.stringify(await client.request("tools/call", retry))).not.toContain(
    "content outside",
  );
  const other = { ...retry, arguments: { path: "../out/b.txt" } };
  expect(JSON.stringify(await client.request("tools/call", other))).toContain("-32602");
});

test.concurrent("a client without elicitation is denied, in both eras", async () => {
  await using stage = await openStage();
  await using legacy = await connectLegacy(stage);
  expect(outcomeOf(await legacy.request("tools/call", stage.call))).toBe("PATH_DENIED");
  await using modern = connect(stage.start("serve", "--proxy"));
  expect(outcomeOf(await modern.request("tools/call", toModern(stage.call, {})))).toBe(
    "PATH_DENIED",
  );
});

test.concurrent("a caller over HTTP grants itself nothing, by no message", async () => {
  await using stage = await openStage();
  const child = stage.start("serve", "--proxy", "--http", "0", "--json");
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (part: string) => (text += part));
  await expect.poll(() => text.trim().endsWith("}"), { timeout: 20_000 }).toBe(true);
  const { url, token } = JSON.parse(text) as { url: string; token: string };
  const post = async (params: JsonObject): Promise<string> => {
    const modern = toModern(params, canElicit);
    const response = await fetch(url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "bundled_read_file",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: modern }),
    });
    return response.text();
  };
  const granted = [join(dirname(stage.project), "out/a.txt")];
  const meta = { "dev.postern/granted": granted, "dev.postern/caller": { kind: "owner" } };
  const answers = { q1: { action: "accept", content: { answer: "once" } } };
  for (const params of [
    stage.call,
    { ...stage.call, _meta: meta },
    { ...stage.call, inputResponses: answers },
    { ...stage.call, inputResponses: answers, requestState: "AAAA" },
  ]) {
    const answer = await post(params);
    expect(answer).toMatch(/PATH_DENIED|-32602/);
    expect(answer).not.toContain("content outside");
  }
  child.kill("SIGINT");
  await once(child, "close");
});
