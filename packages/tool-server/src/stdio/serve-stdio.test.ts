import { PassThrough, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { waitFor } from "@postern/test-kit";
import { textResult, type JsonObject, type JsonValue } from "@postern/tool";
import { describe, expect, it } from "vitest";
import { createCall, envelope } from "../../fixtures/messages.js";
import { createToolListing, SampleSource } from "../../fixtures/sample-source.js";
import { serveStdio, type StdioOptions, type StdioServer } from "../stdio.js";

interface Session {
  readonly server: StdioServer;
  readonly input: PassThrough;
  readonly messages: JsonObject[];
  readonly text: () => string;
  send(message: unknown): void;
  /** Waits for the answer to an id. */
  answer(id: unknown): Promise<JsonObject | undefined>;
}

async function open(
  source: SampleSource = new SampleSource(),
  options: StdioOptions = {},
): Promise<Session> {
  const input = new PassThrough();
  let text = "";
  const messages: JsonObject[] = [];
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      const lines = text.split("\n");
      messages.length = 0;
      for (const line of lines.slice(0, -1)) messages.push(JSON.parse(line) as JsonObject);
      done();
    },
  });
  const server = await serveStdio({ name: "s", version: "1" }, source, {
    input,
    output,
    ...options,
  });
  const answer = async (id: unknown): Promise<JsonObject | undefined> => {
    const find = (): JsonObject | undefined =>
      messages.find((message) => message["id"] === id && !("method" in message));
    await waitFor(() => find() !== undefined, 2_000);
    return find();
  };
  const send = (message: unknown): void =>
    void input.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
  return { server, input, messages, text: () => text, send, answer };
}

const initialize = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "c", version: "1" },
  },
};

describe("serveStdio", () => {
  it.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
    "speaks the revision %s to a client that does",
    async (protocolVersion) => {
      const session = await open();
      session.send({ ...initialize, params: { ...initialize.params, protocolVersion } });
      expect(await session.answer(0)).toMatchObject({ result: { protocolVersion } });
      await session.server.close();
    },
  );

  it("speaks 2026-07-28 to a client that does, without a handshake", async () => {
    const session = await open();
    session.send(createCall("echo", { text: "x" }, { id: "a" }));
    expect(await session.answer("a")).toMatchObject({ result: { resultType: "complete" } });
    await session.server.close();
  });

  it("takes its client for the owner", async () => {
    const source = new SampleSource();
    const session = await open(source);
    session.send(createCall("echo", { text: "x" }));
    await session.answer(1);
    expect(source.calls[0]?.context.caller).toEqual({ kind: "owner", id: "stdio", scopes: [] });
    await session.server.close();
  });

  it.each([
    ["refused", { text: 5 }, "INVALID_ARGUMENTS"],
    ["in need of input", {}, "INPUT_UNAVAILABLE"],
  ])("answers a call that is %s within the tool's output schema", async (_name, args, code) => {
    const source = new SampleSource([
      createToolListing("rows", { outputSchema: { required: ["rows"] } }),
    ]);
    source.run = () => Promise.resolve({ resultType: "input_required", inputRequests: {} });
    const session = await open(source);
    session.send(initialize);
    await session.answer(0);
    const params = { name: "rows", arguments: args };
    session.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    expect((await session.answer(1))?.["result"]).toEqual({
      isError: true,
      content: [{ type: "text", text: expect.stringContaining(`"error":"${code}"`) }],
    });
    await session.server.close();
  });

  it("gives a caller the set that is for it", async () => {
    const source = new SampleSource();
    const input = new PassThrough();
    const asked: unknown[] = [];
    const caller = { kind: "remote", id: "ann", scopes: [] } as const;
    const serve = (who: unknown): SampleSource => {
      asked.push(who);
      return source;
    };
    const server = await serveStdio({ name: "s", version: "1" }, serve, {
      input,
      output: new PassThrough(),
      caller,
    });
    expect(asked).toEqual([caller]);
    await server.close();
  });

  it.each([
    ["text that is no JSON", "Server started!", -32_700],
    ["JSON that is no message", '{"hello":1}', -32_600],
    ["a list", "[]", -32_600],
    ["a request with an object for an id", '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32_600],
    [
      "a request with a list for parameters",
      '{"jsonrpc":"2.0","id":5,"method":"ping","params":[]}',
      -32_600,
    ],
    ["an unfinished message", '{"jsonrpc":"2.0","id":5,', -32_700],
  ])("answers %s with an error, and goes on", async (_name, line, code) => {
    const errors: unknown[] = [];
    const session = await open(undefined, { onError: (error) => errors.push(error) });
    session.send(line);
    session.send(createCall("echo", { text: "x" }, { id: "after" }));
    expect([
      await session.answer("after"),
      await session.answer(null),
      errors.length,
    ]).toMatchObject([{ result: { content: [{ text: "x" }] } }, { error: { code } }, 1]);
    await session.server.close();
  });

  it("passes over empty lines and line ends of another system", async () => {
    const session = await open();
    session.input.write(`\r\n\n${JSON.stringify(createCall("echo", { text: "x" }))}\r\n`);
    expect([await session.answer(1), session.messages.length]).toMatchObject([
      { result: { content: [{ text: "x" }] } },
      1,
    ]);
    await session.server.close();
  });

  it("carries a message of 12 MB, more than the SDK's own transport takes", async () => {
    const session = await open();
    const text = "x".repeat(12_000_000);
    session.send(createCall("echo", { text }));
    expect(await session.answer(1)).toMatchObject({ result: { content: [{ text }] } });
    await session.server.close();
  });

  it("refuses a line of more than 64 MiB, and goes on", async () => {
    const session = await open();
    const part = "x".repeat(1024 * 1024);
    for (let count = 0; count < 65; count += 1) session.input.write(part);
    session.send("");
    session.send(createCall("echo", { text: "x" }, { id: "after" }));
    expect([await session.answer("after"), await session.answer(null)]).toMatchObject([
      { result: { content: [{ text: "x" }] } },
      { error: { data: { error: "BODY_TOO_LARGE" } } },
    ]);
    await session.server.close();
  });

  it("ends when its input ends", async () => {
    const session = await open();
    session.input.end();
    await session.server.closed;
    expect(session.text()).toBe("");
  });

  it("answers what was asked before its input ended", async () => {
    const source = new SampleSource();
    source.run = async () => {
      await sleep(100);
      return textResult("done");
    };
    const session = await open(source);
    session.send(createCall("slow"));
    session.input.end();
    await session.server.closed;
    expect(session.messages).toMatchObject([{ id: 1, result: { content: [{ text: "done" }] } }]);
  });

  it("aborts what is not answered half a second after its input ended", async () => {
    const source = new SampleSource();
    let isAborted = false;
    source.run = async ({ context }) => {
      await new Promise<void>((resolve) => {
        context.signal.addEventListener("abort", () => resolve());
      });
      isAborted = true;
      return textResult("late");
    };
    const session = await open(source);
    session.send(createCall("slow"));
    await waitFor(() => source.calls.length === 1);
    session.input.end();
    await session.server.closed;
    await sleep(0);
    expect([isAborted, session.messages]).toEqual([true, []]);
  });

  it("aborts a call that is cancelled, and answers it no more", async () => {
    const source = new SampleSource();
    let isAborted = false;
    source.run = async ({ context }) => {
      await new Promise<void>((resolve) => {
        context.signal.addEventListener("abort", () => resolve());
      });
      isAborted = true;
      return textResult("late");
    };
    const session = await open(source);
    session.send(initialize);
    await session.answer(0);
    session.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "slow" } });
    await waitFor(() => source.calls.length === 1);
    session.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    const isSeen = await waitFor(() => isAborted);
    await sleep(20);
    expect([isSeen, session.messages.length]).toEqual([true, 1]);
    await session.server.close();
  });

  it("ends when nobody reads its output", async () => {
    const input = new PassThrough();
    const output = new Writable({
      write(_chunk, _encoding, done) {
        done(Object.assign(new TypeError("EPIPE"), { code: "EPIPE" }));
      },
    });
    const errors: unknown[] = [];
    const server = await serveStdio({ name: "s", version: "1" }, new SampleSource(), {
      input,
      output,
      onError: (error) => errors.push(error),
    });
    input.write(`${JSON.stringify(createCall("echo", { text: "x" }))}\n`);
    await server.closed;
    expect(errors.map(String)).toEqual(["TypeError: EPIPE"]);
  });

  it("tells an older client of changes only after its handshake", async () => {
    const source = new SampleSource();
    const session = await open(source);
    session.send(initialize);
    await session.answer(0);
    source.emit(["tool"]);
    await sleep(120);
    const early = session.messages.length;
    session.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    await sleep(20);
    source.emit(["tool"]);
    await sleep(120);
    expect([early, session.messages.at(-1)]).toEqual([
      1,
      { jsonrpc: "2.0", method: "notifications/tools/list_changed" },
    ]);
    await session.server.close();
  });

  it("tells a newer client only of what it asked to be told", async () => {
    const source = new SampleSource();
    const session = await open(source);
    const params = { _meta: envelope, notifications: { promptsListChanged: true } };
    session.send({ jsonrpc: "2.0", id: "l", method: "subscriptions/listen", params });
    await waitFor(() => session.messages.length === 1);
    source.emit(["tool", "prompt"]);
    await sleep(120);
    expect(session.messages.map(({ method }) => method)).toEqual([
      "notifications/subscriptions/acknowledged",
      "notifications/prompts/list_changed",
    ]);
    await session.server.close();
  });

  it("leaves no listener on the set when closed", async () => {
    const source = new SampleSource();
    const session = await open(source);
    session.send(initialize);
    await session.answer(0);
    const before = source.listenerCount;
    await session.server.close();
    expect([before, source.listenerCount]).toEqual([1, 0]);
  });

  it("answers an unknown method, and a call without a name", async () => {
    const session = await open();
    session.send(initialize);
    session.send({ jsonrpc: "2.0", id: 1, method: "memory/forget" });
    session.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: 5 } });
    expect([await session.answer(1), await session.answer(2)]).toMatchObject([
      { error: { code: -32_601, data: { error: "UNKNOWN_METHOD" } } },
      { error: { code: -32_602, data: { error: "INVALID_ARGUMENTS" } } },
    ]);
    await session.server.close();
  });

  it.each(["modern", "legacy"])(
    "answers a call of a %s client whose result JSON cannot hold with an error, and goes on",
    async (era) => {
      // Without end: how deep JSON can go differs by Node release.
      const nested: JsonValue[] = [];
      nested.push(nested);
      const source = new SampleSource();
      source.run = () => Promise.resolve({ ...textResult("x"), vendor: nested });
      const session = await open(source, { onError: () => undefined });
      if (era === "legacy") {
        session.send(initialize);
        await session.answer(0);
      }
      const call = { name: "echo", arguments: { text: "x" } };
      const toCall = (id: number): JsonObject =>
        era === "modern"
          ? createCall("echo", { text: "x" }, { id })
          : { jsonrpc: "2.0", id, method: "tools/call", params: call };
      session.send(toCall(1));
      const failed = await session.answer(1);
      source.run = () => Promise.resolve(textResult("fine"));
      session.send(toCall(2));
      expect([failed, await session.answer(2)]).toMatchObject([
        { error: { code: -32_603, data: { error: "INTERNAL_ERROR" } } },
        { result: { content: [{ text: "fine" }] } },
      ]);
      await session.server.close();
    },
  );

  it("takes a call whose arguments nest deeper than any stack", async () => {
    const session = await open(undefined, { onError: () => undefined });
    const line = JSON.stringify(createCall("echo", { text: "TEXT" }, { id: 1 }));
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    session.send(line.replace('"TEXT"', `"x","more":${deep}`));
    session.send(createCall("echo", { text: "x" }, { id: 2 }));
    expect(await session.answer(1)).toBeDefined();
    expect(await session.answer(2)).toHaveProperty("result");
    await session.server.close();
  });
});
