import { openFolder, waitFor } from "@postern/test-kit";
import { createCallContext, type JsonObject } from "@postern/tool";
import { describe, expect, it } from "vitest";
import { callTool, connect, isCancelHeard, readLog, scripted } from "../fixtures/scripted-pool.js";

describe("calling", () => {
  it("passes arguments and results whole, also what the SDK's schemas do not know", async () => {
    const result = {
      content: [{ type: "hologram", beams: 3 }],
      structuredContent: [1, 2],
      isError: false,
      vendor: { deep: [null] },
    };
    await using pool = await connect({ s: scripted({ result }), e: scripted() });
    expect(await callTool(pool, "s_echo")).toEqual(result);
    const args = { ünï: "\u2028", nested: { list: [1, null] } };
    expect(await callTool(pool, "e_echo", { args })).toEqual({
      content: [{ type: "text", text: JSON.stringify({ name: "echo", arguments: args }) }],
      extra: { kept: true },
    });
  });

  it("takes reserved keys out of what a caller and a server send", async () => {
    const result = {
      content: [{ type: "text", text: "x", _meta: { "Dev.Postern/granted": 1, mine: 2 } }],
      _meta: { "dev.postern/tags": ["bundled"], theirs: 1 },
    };
    await using pool = await connect({ s: scripted({ result }), e: scripted() });
    expect(await callTool(pool, "s_echo")).toEqual({
      content: [{ type: "text", text: "x", _meta: { mine: 2 } }],
      _meta: { theirs: 1 },
    });
    const meta = { "dev.postern/granted": ["/etc"], progressToken: 9, traceparent: "00-1" };
    const echoed = await callTool(pool, "e_echo", { meta });
    expect(JSON.parse((echoed["content"] as { text: string }[])[0]?.text ?? "")).toEqual({
      name: "echo",
      arguments: {},
      _meta: { traceparent: "00-1" },
    });
  });

  it("lets what was granted for a call cross to the bundled server alone", async () => {
    await using pool = await connect({
      ours: { ...scripted(), bundled: true },
      theirs: scripted(),
    });
    const meta = { "dev.postern/granted": ["/etc"], "dev.postern/tags": ["x"], mine: 1 };
    const seen = await Promise.all(
      ["ours_echo", "theirs_echo"].map(async (name) => {
        const { content } = await callTool(pool, name, { meta });
        const [block] = content as readonly { readonly text: string }[];
        return (JSON.parse(block?.text ?? "") as JsonObject)["_meta"];
      }),
    );
    expect(seen).toEqual([{ "dev.postern/granted": ["/etc"], mine: 1 }, { mine: 1 }]);
  });

  it("answers UNKNOWN_TOOL for a name that is not listed, and for a listing that is not the one checked", async () => {
    await using folder = await openFolder();
    const log = folder.join("log");
    await using pool = await connect({ s: scripted({}, { log }) });
    const context = createCallContext();
    const [listing] = await pool.list();
    const call = { name: "s_echo", arguments: {}, context };
    const refusals = await Promise.all([
      pool.call({ ...call, name: "s_nope" }),
      pool.call({ ...call, name: "echo" }),
      pool.call({ ...call, name: "" }),
      pool.call({ ...call, listing: { ...(listing as NonNullable<typeof listing>) } }),
    ]);
    for (const refusal of refusals)
      expect(refusal).toMatchObject({
        isError: true,
        structuredContent: { error: "UNKNOWN_TOOL" },
      });
    expect(readLog(log).join()).not.toContain("tools/call");
  });

  it("tells the server of an abort and rejects with its reason", async () => {
    await using folder = await openFolder();
    const log = folder.join("log");
    await using pool = await connect({ s: scripted({}, { log }) });
    const abort = new AbortController();
    const calling = callTool(pool, "s_hang", { signal: abort.signal });
    expect(await waitFor(() => readLog(log).join().includes('"hang"'))).toBe(true);
    abort.abort(new RangeError("enough"));
    await expect(calling).rejects.toThrow(RangeError);
    expect(await waitFor(() => isCancelHeard(log))).toBe(true);
  });

  it("ends a call at its limit with a result, and tells the server", async () => {
    await using folder = await openFolder();
    const log = folder.join("log");
    await using pool = await connect({ s: scripted({}, { log, callTimeoutMs: 100 }) });
    expect(await callTool(pool, "s_hang")).toMatchObject({
      isError: true,
      structuredContent: { error: "TOOL_TIMEOUT", server: "s", tool: "s_hang", timeoutMs: 100 },
    });
    expect(await waitFor(() => isCancelHeard(log))).toBe(true);
    expect(await callTool(pool, "s_echo")).not.toHaveProperty("isError");
  });

  it("forwards every step of progress, also one that comes with the answer", async () => {
    await using pool = await connect({ s: scripted() });
    const steps: unknown[] = [];
    await callTool(pool, "s_steps", { progress: (step) => void steps.push(step) });
    expect(steps).toEqual([
      { progress: 1, total: 3 },
      { progress: 2, total: 3 },
      { progress: 3, total: 3 },
    ]);
  });

  it("asks for no progress when nobody listens", async () => {
    await using pool = await connect({ s: scripted() });
    expect(JSON.stringify(await callTool(pool, "s_echo"))).not.toContain("progressToken");
  });

  it("turns a server's error into a result that says whose words they are", async () => {
    await using pool = await connect({ s: scripted() });
    const failed = await callTool(pool, "s_fail");
    expect(failed).toMatchObject({
      isError: true,
      structuredContent: {
        error: "UPSTREAM_ERROR",
        server: "s",
        rpcCode: -32050,
        serverText: "the disk is full",
        message: expect.not.stringContaining("disk"),
      },
    });
  });

  it("answers with an error where the server's answer is no result", async () => {
    await using pool = await connect({ s: scripted({ result: 7 }) });
    expect(await callTool(pool, "s_echo")).toMatchObject({
      isError: true,
      structuredContent: { error: "UPSTREAM_INVALID", server: "s" },
    });
  });

  it("puts the answer of the oldest servers into content", async () => {
    await using pool = await connect({ s: scripted({ result: { toolResult: { sum: 3 } } }) });
    expect(await callTool(pool, "s_echo")).toEqual({
      toolResult: { sum: 3 },
      content: [{ type: "text", text: '{"sum":3}' }],
    });
  });

  it("serves more than ten calls on one signal without a warning", async () => {
    const warnings: unknown[] = [];
    const warn = (warning: unknown): void => void warnings.push(warning);
    process.on("warning", warn);
    await using pool = await connect({ s: scripted() });
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 30 }, () => callTool(pool, "s_echo", { signal })));
    process.off("warning", warn);
    expect(warnings).toEqual([]);
  });
});
