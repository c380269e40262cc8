import { openFolder, waitFor } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import {
  callTool,
  connect,
  readLog,
  readNames,
  scripted,
  toTool,
} from "../fixtures/scripted-pool.js";
import type { PoolEvent } from "./index.js";

describe("listing", () => {
  it("reads all pages", async () => {
    const pages = [0, 1, 2].map((page) =>
      Array.from({ length: 50 }, (_value, at) => toTool(`t${page * 50 + at}`)),
    );
    await using pool = await connect({ s: scripted({ pages }) });
    expect(await readNames(pool)).toEqual(Array.from({ length: 150 }, (_value, at) => `s_t${at}`));
  });

  it("stops with a report when a cursor repeats", async () => {
    await using pool = await connect({ s: scripted({ pages: [[toTool("a")]], loop: true }) });
    expect(await readNames(pool)).toEqual(["s_a"]);
    expect(pool.servers()[0]).toMatchObject({
      dropped: [
        { name: "a", problem: "its name was listed before" },
        { name: "", problem: expect.stringContaining("repeats a cursor") },
      ],
    });
  });

  it("fails a server whose list is none, or does not come in time", async () => {
    await using pool = await connect({
      broken: scripted({ tools: "none" }),
      silent: scripted({ silent: ["tools/list"] }, { catalogTimeoutMs: 200 }),
    });
    expect(pool.servers()).toMatchObject([
      { state: "failed", code: "CATALOG_FAILED" },
      { state: "failed", code: "CATALOG_TIMEOUT" },
    ]);
  });

  it("drops broken tools, mends what it can, and keeps the others", async () => {
    const events: PoolEvent[] = [];
    const tools = [
      toTool("good"),
      { inputSchema: { type: "object" } },
      { name: 7, inputSchema: { type: "object" } },
      { name: "no-schema" },
      { name: "bool", inputSchema: true },
      { name: "mended", inputSchema: { properties: {} } },
      toTool("good", { description: "again" }),
      null,
    ];
    await using pool = await connect(
      { s: scripted({ tools }) },
      { onEvent: (event) => void events.push(event) },
    );
    expect(await readNames(pool)).toEqual(["s_good", "s_mended"]);
    const [server] = pool.servers();
    expect(server).toMatchObject({
      toolCount: 2,
      dropped: [
        { name: "" },
        { name: "" },
        { name: "no-schema" },
        { name: "bool" },
        { name: "good" },
        { name: "" },
      ],
      repaired: [{ name: "mended", problem: "its inputSchema had no type; object was put in" }],
    });
    expect(events.filter(({ type }) => type === "dropped")).toHaveLength(6);
  });

  it("gives the same array until something changes, and tells a change once", async () => {
    await using pool = await connect({ a: scripted(), b: scripted() });
    const before = await pool.list();
    expect(await pool.list()).toBe(before);
    expect(await pool.list({ kinds: ["tool"] })).toBe(before);
    const changes: unknown[] = [];
    pool.onChange((change) => changes.push(change));
    await callTool(pool, "a_change", { args: { tools: [toTool("echo"), toTool("fresh")] } });
    expect(await waitFor(() => changes.length > 0)).toBe(true);
    const after = await pool.list();
    expect(after.map(({ name }) => name).slice(0, 3)).toEqual(["a_echo", "a_fresh", "b_echo"]);
    expect(after[0]).toBe(before[0]);
    expect(changes).toEqual([{ kinds: ["tool"] }]);
  });

  it("tells nothing when the list is the same after all", async () => {
    await using pool = await connect({ a: scripted() });
    const before = await pool.list();
    let changes = 0;
    pool.onChange(() => (changes += 1));
    await callTool(pool, "a_change");
    await callTool(pool, "a_change");
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect([changes, (await pool.list()) === before]).toEqual([0, true]);
  });

  it("leaves names as they are with an empty prefix, but none that begins with another server's", async () => {
    await using pool = await connect({
      bare: scripted({ tools: [toTool("echo"), toTool("x_echo")] }, { prefix: "" }),
      x: scripted({ tools: [toTool("echo"), toTool("own")] }),
    });
    expect((await pool.list()).map(({ server, name }) => [server, name])).toEqual([
      ["bare", "echo"],
      ["x", "x_echo"],
      ["x", "x_own"],
    ]);
    expect(pool.servers()[0]).toMatchObject({
      toolCount: 1,
      dropped: [{ name: "x_echo", problem: 'the name x_echo is taken by the server "x"' }],
    });
  });

  it("gives a name to the first of two servers without a prefix", async () => {
    const settings = { prefix: "" };
    await using pool = await connect({
      one: scripted({ tools: [toTool("echo")] }, settings),
      two: scripted({ tools: [toTool("echo"), toTool("own")] }, settings),
    });
    expect((await pool.list()).map(({ server, name }) => [server, name])).toEqual([
      ["one", "echo"],
      ["two", "own"],
    ]);
    expect(pool.servers()[1]).toMatchObject({
      toolCount: 1,
      dropped: [{ name: "echo", problem: 'the name echo is taken by the server "one"' }],
    });
  });

  it("asks for other kinds only when they are wanted and advertised", async () => {
    await using folder = await openFolder();
    const log = folder.join("log");
    const capabilities = { tools: {}, prompts: {}, resources: {} };
    const resources = [{ uri: "memo://a", name: "a" }];
    await using pool = await connect({
      s: scripted({ capabilities, prompts: [{ name: "p" }], resources }, { log }),
      plain: scripted({ prompts: [{ name: "hidden" }] }),
    });
    await pool.list();
    expect(readLog(log).join()).not.toMatch(/prompts\/list|resources/);
    const kinds = ["template", "resource", "prompt"] as const;
    const listed = await pool.list({ kinds });
    expect(listed.map(({ kind, name }) => [kind, name])).toEqual([
      ["prompt", "s_p"],
      ["resource", "memo://a"],
    ]);
    expect(await pool.list({ kinds })).toBe(listed);
  });

  it("names a server one of whose lists could not be read, and keeps the rest", async () => {
    const capabilities = { tools: {}, prompts: {} };
    await using pool = await connect({
      s: scripted({ capabilities, silent: ["prompts/list"] }, { catalogTimeoutMs: 200 }),
    });
    expect(await pool.list({ kinds: ["prompt"] })).toEqual([]);
    expect(pool.missing()).toMatchObject([
      { server: "s", reason: expect.stringContaining("200 ms") },
    ]);
    expect(await readNames(pool)).toHaveLength(8);
  });
});
