import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { handleLegacy, openServer, toJson } from "../fixtures/http-server.js";
import { callTool } from "../fixtures/scripted-pool.js";
import { connectServers } from "./index.js";

const maxMessageBytes = 64 * 1024;
const content = [{ type: "text", text: "ok" }];

/** A body that never ends by itself; tells how much of it was taken. */
function createEndless(piece: string): { body: ReadableStream<Uint8Array>; taken: () => number } {
  const bytes = new TextEncoder().encode(piece);
  let taken = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      taken += bytes.length;
      if (taken > 64 * 1024 * 1024) return controller.close();
      controller.enqueue(bytes);
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    },
  });
  return { body, taken: () => taken };
}

describe("a hostile server over HTTP", () => {
  it("cannot fill the memory with a small body that unpacks to a large one", async () => {
    const bomb = gzipSync(
      JSON.stringify({ jsonrpc: "2.0", id: 1, result: { content, x: "x".repeat(30_000_000) } }),
    );
    await using server = await openServer(
      handleLegacy(
        () =>
          new Response(bomb, {
            headers: {
              "content-type": "application/json",
              "content-encoding": "gzip",
              "content-length": String(bomb.length),
            },
          }),
      ),
    );
    await using pool = await connectServers(
      { s: { url: server.url, callTimeoutMs: 10_000 } },
      { maxMessageBytes },
    );
    await expect(callTool(pool, "s_echo")).rejects.toMatchObject({ code: "MESSAGE_TOO_LARGE" });
  });

  it("cannot fill the memory with one event of ever more lines", async () => {
    const endless = createEndless(`data: ${"x".repeat(1_000)}\n`.repeat(16));
    await using server = await openServer(
      handleLegacy(
        () => new Response(endless.body, { headers: { "content-type": "text/event-stream" } }),
      ),
    );
    await using pool = await connectServers(
      { s: { url: server.url, callTimeoutMs: 10_000 } },
      { maxMessageBytes },
    );
    await expect(callTool(pool, "s_echo")).rejects.toMatchObject({ code: "CONNECTION_LOST" });
    expect(endless.taken()).toBeLessThan(16 * 1024 * 1024);
  });

  it("may send many events that are small each", async () => {
    const note = JSON.stringify({
      jsonrpc: "2.0",
      method: "notifications/message",
      params: { level: "info", data: "x".repeat(1_000) },
    });
    await using server = await openServer(
      handleLegacy(({ id }) => {
        const answer = JSON.stringify({ jsonrpc: "2.0", id, result: { content } });
        const text = ["\n\n", "\r\n\r\n"]
          .map((end) => `event: message${end.slice(0, end.length / 2)}data: ${note}${end}`)
          .join("")
          .repeat(100);
        return new Response(`${text}data: ${answer}\n\n`, {
          headers: { "content-type": "text/event-stream" },
        });
      }),
    );
    await using pool = await connectServers({ s: { url: server.url } }, { maxMessageBytes });
    expect(await callTool(pool, "s_echo")).toEqual({ content });
  });

  it("cannot fill the memory with an error page without end", async () => {
    const endless = createEndless("x".repeat(16_384));
    await using server = await openServer(
      handleLegacy(() => new Response(endless.body, { status: 500 })),
    );
    await using pool = await connectServers(
      { s: { url: server.url, callTimeoutMs: 10_000 } },
      { maxMessageBytes },
    );
    const outcome = await callTool(pool, "s_echo").catch((error: unknown) => error);
    expect(JSON.stringify(outcome)).toMatch(/HTTP_ERROR/);
    expect(endless.taken()).toBeLessThan(16 * 1024 * 1024);
  });

  it("gets the answer of one call into no other", async () => {
    const ids: (string | number | undefined)[] = [];
    await using server = await openServer(
      handleLegacy((rpc) => {
        ids.push(rpc.id);
        // The second call is answered under the id of the first.
        const id = ids.length === 2 ? ids[0] : rpc.id;
        return toJson(id === undefined ? {} : { id }, {
          content: [{ type: "text", text: rpc.params?.arguments?.["for"] }],
        });
      }),
    );
    await using pool = await connectServers({ s: { url: server.url, callTimeoutMs: 1_500 } });
    expect(await callTool(pool, "s_echo", { args: { for: "a" } })).toMatchObject({
      content: [{ text: "a" }],
    });
    const second = await callTool(pool, "s_echo", { args: { for: "b" } }).catch((e: unknown) => e);
    expect(JSON.stringify(second)).toMatch(/TOOL_TIMEOUT|CONNECTION_LOST/);
  });
});
