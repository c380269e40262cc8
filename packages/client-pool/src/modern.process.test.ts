import { fileURLToPath } from "node:url";
import { createMcpHandler, Server, type Tool } from "@modelcontextprotocol/server";
import { waitFor } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { openServer } from "../fixtures/http-server.js";
import { callTool, connect, readNames } from "../fixtures/scripted-pool.js";
import { connectServers } from "./index.js";

const tool = (name: string, more: object = {}): Tool => ({
  name,
  inputSchema: { type: "object" },
  ...more,
});

const declared = (header: string, type: string): object => ({
  inputSchema: { type: "object", properties: { region: { type, "x-mcp-header": header } } },
});

interface Stage {
  tools: readonly object[];
  aborted: number;
}

/** A server of 2026-07-28 that answers raw, as written. */
function createStage(tools: readonly object[]) {
  const stage: Stage = { tools, aborted: 0 };
  const handler = createMcpHandler(
    () => {
      const server = new Server(
        { name: "modern", version: "3.0.0" },
        { capabilities: { tools: { listChanged: true } } },
      );
      server.setRequestHandler("tools/list", () => ({ tools: stage.tools as Tool[] }));
      server.fallbackRequestHandler = async (request, context) => {
        const { name, arguments: args, _meta } = request.params as Record<string, never>;
        if (name === "hang")
          await new Promise((_resolve, reject) => {
            context.mcpReq.signal.addEventListener("abort", () => {
              stage.aborted += 1;
              reject(new RangeError("aborted"));
            });
          });
        if (name === "steps")
          await context.mcpReq.notify({
            method: "notifications/progress",
            params: { progressToken: _meta?.["progressToken"], progress: 1 },
          });
        return { content: [{ type: "hologram", args }], vendor: 1 };
      };
      return server;
    },
    { legacy: "reject" },
  );
  return { stage, handler, fetch: (request: Request) => handler.fetch(request) };
}

describe("a server of 2026-07-28 over HTTP", () => {
  it("is found by asking, and answers with what no schema knows", async () => {
    const { fetch } = createStage([tool("echo"), { name: "broken" }, tool("other")]);
    await using server = await openServer(fetch);
    await using pool = await connectServers({ s: { url: server.url } });
    expect(pool.servers()).toMatchObject([
      {
        state: "connected",
        era: "modern",
        protocolVersion: "2026-07-28",
        serverInfo: { name: "modern", version: "3.0.0" },
        dropped: [{ name: "broken" }],
      },
    ]);
    expect(await readNames(pool)).toEqual(["s_echo", "s_other"]);
    expect(await callTool(pool, "s_echo", { args: { a: 1 } })).toEqual({
      content: [{ type: "hologram", args: { a: 1 } }],
      vendor: 1,
    });
  });

  it("gets what it declares of arguments in headers, and loses a tool that declares wrongly", async () => {
    const { fetch } = createStage([
      tool("good", declared("Region", "string")),
      tool("bad", declared("Re gion", "string")),
      tool("worse", declared("Region", "object")),
    ]);
    await using server = await openServer(fetch);
    await using pool = await connectServers({ s: { url: server.url, protocol: "2026-07-28" } });
    expect(await readNames(pool)).toEqual(["s_good"]);
    await callTool(pool, "s_good", { args: { region: "eu\nX-Evil: 1" } });
    const { headers } = server.heard.at(-1) ?? { headers: new Headers() };
    expect([
      headers.get("mcp-name"),
      headers.get("mcp-param-region"),
      headers.get("x-evil"),
    ]).toEqual(["good", `=?base64?${btoa("eu\nX-Evil: 1")}?=`, null]);
  });

  it("sees an abort as a closed stream, and sends progress", async () => {
    const { stage, fetch } = createStage([tool("hang"), tool("steps")]);
    await using server = await openServer(fetch);
    await using pool = await connectServers({ s: { url: server.url } });
    const abort = new AbortController();
    const calling = callTool(pool, "s_hang", { signal: abort.signal });
    expect(await waitFor(() => server.heard.some(({ body }) => body.includes("hang")))).toBe(true);
    abort.abort(new RangeError("enough"));
    await expect(calling).rejects.toThrow(RangeError);
    expect(await waitFor(() => stage.aborted === 1)).toBe(true);
    const steps: unknown[] = [];
    await callTool(pool, "s_steps", { progress: (step) => void steps.push(step) });
    expect(steps).toEqual([{ progress: 1 }]);
  });

  it("tells of a changed list through the stream that is kept open for that", async () => {
    const { stage, handler, fetch } = createStage([tool("echo")]);
    await using server = await openServer(fetch);
    await using pool = await connectServers({ s: { url: server.url } });
    const changes: unknown[] = [];
    pool.onChange((change) => changes.push(change));
    const listening = (): boolean =>
      server.heard.some(({ body }) => body.includes("subscriptions/listen"));
    expect(await waitFor(listening)).toBe(true);
    stage.tools = [tool("echo"), tool("fresh")];
    expect(
      await waitFor(() => {
        handler.notify.toolsChanged();
        return changes.length > 0;
      }),
    ).toBe(true);
    expect(await readNames(pool)).toEqual(["s_echo", "s_fresh"]);
  });
});

describe("a server of 2026-07-28 over stdio", () => {
  const program = fileURLToPath(new URL("../fixtures/modern-server.mjs", import.meta.url));
  const target = { command: process.execPath, args: [program] };

  it.each(["auto", "2026-07-28"] as const)("answers when the protocol is %s", async (protocol) => {
    await using pool = await connect({ s: { ...target, protocol } });
    expect(pool.servers()).toMatchObject([{ state: "connected", era: "modern" }]);
    expect(await callTool(pool, "s_echo", { args: { text: "hi" } })).toEqual({
      content: [{ type: "text", text: "hi" }],
    });
  });

  it("hears of an abort, and tells of a changed list", async () => {
    await using pool = await connect({ s: { ...target, protocol: "2026-07-28" } });
    const abort = new AbortController();
    const calling = callTool(pool, "s_hang", { signal: abort.signal });
    setTimeout(() => abort.abort(new RangeError("enough")), 100);
    await expect(calling).rejects.toThrow(RangeError);
    const heard = async (): Promise<boolean> => {
      const { content } = await callTool(pool, "s_aborted");
      return JSON.stringify(content).includes("1");
    };
    expect(await waitFor(heard)).toBe(true);
    let changes = 0;
    pool.onChange(() => (changes += 1));
    expect(
      await waitFor(async () => {
        await callTool(pool, "s_change");
        return changes > 0;
      }),
    ).toBe(true);
    expect(await readNames(pool)).toContain("s_fresh");
  });
});
