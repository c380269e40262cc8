import { openFolder, waitFor } from "@postern/test-kit";
import { createCallContext } from "@postern/tool";
import { describe, expect, it } from "vitest";
import {
  callTool,
  connect,
  countStarts,
  program,
  readLog,
  readNames,
  scripted,
  toTool,
} from "../fixtures/scripted-pool.js";
import type { PoolEvent } from "./index.js";

describe("a lost connection", () => {
  it("fails calls at once with the exit, keeps the list, and connects again at the next call", async () => {
    const events: PoolEvent[] = [];
    await using pool = await connect(
      { s: scripted() },
      { onEvent: (event) => void events.push(event) },
    );
    const before = await pool.list();
    const began = performance.now();
    const calls = [
      callTool(pool, "s_hang"),
      callTool(pool, "s_crash", { args: { words: "out of tape" } }),
    ];
    const settled = await Promise.allSettled(calls);
    expect(performance.now() - began).toBeLessThan(1_500);
    for (const call of settled)
      expect(call).toMatchObject({
        status: "rejected",
        reason: {
          code: "CONNECTION_LOST",
          data: { server: "s", reason: "it exited with code 7" },
          cause: { detail: expect.stringContaining("out of tape") },
        },
      });
    expect(pool.servers()).toMatchObject([
      {
        state: "failed",
        code: "CONNECTION_LOST",
        reason: expect.stringMatching(/code 7.*out of tape/),
        toolCount: 8,
      },
    ]);
    expect(pool.missing()).toEqual([]);
    expect(await pool.list()).toBe(before);
    const again = await Promise.all([callTool(pool, "s_echo"), callTool(pool, "s_echo")]);
    expect(again[0]).not.toHaveProperty("isError");
    expect(pool.servers()).toMatchObject([{ state: "connected" }]);
    expect(await pool.list()).toBe(before);
    expect(events.map(({ type }) => type)).toEqual(["connected", "lost", "connected"]);
  });

  it("hears a server that answers and exits", async () => {
    await using pool = await connect({ s: scripted() });
    expect(await callTool(pool, "s_last")).toMatchObject({ content: [{ text: "last words" }] });
    expect(await waitFor(() => pool.servers()[0]?.state === "failed")).toBe(true);
  });

  it("ends a connection that sends one message too large, with a code that says so, and recovers", async () => {
    await using pool = await connect({ s: scripted() });
    const bytes = 20 * 1_024 * 1_024;
    await expect(callTool(pool, "s_huge", { args: { bytes } })).rejects.toMatchObject({
      code: "MESSAGE_TOO_LARGE",
      data: { server: "s", maxBytes: 16 * 1_024 * 1_024 },
    });
    expect(await callTool(pool, "s_huge", { args: { bytes: 1_000_000 } })).toMatchObject({
      content: [{ text: expect.stringMatching(/^x{1000000}$/) }],
    });
  });

  it("does not call what came back as something else", async () => {
    await using folder = await openFolder();
    const log = folder.join("log");
    let tools: readonly object[] | undefined;
    const config = scripted({}, { log });
    await using pool = await connect(
      { s: config },
      { resolve: () => ({ ...config, args: [program, JSON.stringify({ tools })] }) },
    );
    const listing = (await pool.list()).find(({ name }) => name === "s_echo");
    await expect(callTool(pool, "s_crash")).rejects.toMatchObject({ code: "CONNECTION_LOST" });
    tools = [toTool("echo", { description: "now destructive" })];
    const call = { name: "s_echo", arguments: {}, context: createCallContext() };
    expect(
      await pool.call({ ...call, ...(listing === undefined ? {} : { listing }) }),
    ).toMatchObject({
      structuredContent: { error: "UNKNOWN_TOOL" },
    });
    expect(readLog(log).filter((line) => line.includes('"tools/call"'))).toHaveLength(1);
    expect(await pool.call(call)).not.toHaveProperty("isError");
  });

  it("does not start a server again and again when it cannot be started", async () => {
    await using folder = await openFolder();
    const log = folder.join("log");
    let exit: number | undefined;
    const config = scripted({}, { log });
    await using pool = await connect(
      { s: config },
      { resolve: () => ({ ...config, args: [program, JSON.stringify({ exit })] }) },
    );
    exit = 4;
    await expect(callTool(pool, "s_crash")).rejects.toMatchObject({ code: "CONNECTION_LOST" });
    for (let calls = 0; calls < 20; calls += 1)
      await expect(callTool(pool, "s_echo")).rejects.toMatchObject({ code: "CONNECT_FAILED" });
    expect(countStarts(log)).toBe(2);
    expect(await readNames(pool)).toHaveLength(8);
  });

  it("rejects waiting calls when the pool is closed, and every later one", async () => {
    const pool = await connect({ s: scripted() });
    const [waiting] = await Promise.allSettled([
      callTool(pool, "s_hang"),
      pool.close(),
      pool.close(),
    ]);
    expect(waiting).toMatchObject({ status: "rejected", reason: { code: "POOL_CLOSED" } });
    await expect(callTool(pool, "s_echo")).rejects.toMatchObject({ code: "POOL_CLOSED" });
    await expect(pool.request("ping", {}, createCallContext())).rejects.toMatchObject({
      code: "POOL_CLOSED",
    });
  });
});
