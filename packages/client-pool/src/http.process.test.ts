import { waitFor } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { handleLegacy, openServer, toJson, type Handle } from "../fixtures/http-server.js";
import { callTool, readNames } from "../fixtures/scripted-pool.js";
import { connectServers } from "./index.js";
import type { ServerConfig } from "./index.js";

const content = [{ type: "text", text: "hi" }];
const echo = handleLegacy((rpc) => toJson(rpc, { content }));

describe("credentials", () => {
  it.each<[string, ServerConfig]>([
    ["a header", { url: "http://example.com/mcp", headers: { Authorization: "Bearer canary" } }],
    ["a secret in the query", { url: "http://example.com/mcp?api_key=canary" }],
    ["a private network", { url: "http://192.168.0.2/mcp", headers: { "X-Key": "canary" } }],
    [
      "a name that only looks like this machine",
      { url: "http://localhost.example/mcp", headers: { "X-Key": "canary" } },
    ],
  ])("are not sent over plain http: %s", async (_case, config) => {
    let requests = 0;
    await using pool = await connectServers(
      { s: config },
      { fetch: () => Promise.resolve(new Response(null, { status: 500 + (requests += 1) })) },
    );
    expect(requests).toBe(0);
    expect(pool.servers()).toMatchObject([{ state: "failed", code: "CREDENTIAL_NEEDS_HTTPS" }]);
    expect(JSON.stringify(pool.missing())).not.toContain("canary");
  });

  it("put into the URL at connection time count as well", async () => {
    await using pool = await connectServers(
      { s: { url: "http://example.com/{env:PATH_KEY}" } },
      { resolve: () => ({ url: "http://example.com/canary" }) },
    );
    expect(pool.servers()).toMatchObject([{ code: "CREDENTIAL_NEEDS_HTTPS" }]);
  });

  it("are sent over https and to this machine", async () => {
    await using server = await openServer(echo);
    const asked: string[] = [];
    await using pool = await connectServers(
      {
        secure: { url: "https://example.com/mcp", headers: { "X-Key": "k" }, protocol: "legacy" },
        local: { url: server.url, headers: { "X-Key": "k" }, protocol: "legacy" },
      },
      {
        fetch: (url, init) => {
          asked.push(String(url));
          return fetch(String(url).replace("https://example.com/mcp", server.url), init);
        },
      },
    );
    expect(pool.servers().map(({ state }) => state)).toEqual(["connected", "connected"]);
    expect(asked).toContain("https://example.com/mcp");
    expect(server.heard.every(({ headers }) => headers.get("x-key") === "k")).toBe(true);
  });

  it("do not follow a redirect to another origin", async () => {
    await using other = await openServer(echo);
    await using server = await openServer(
      () => new Response(null, { status: 307, headers: { location: other.url } }),
    );
    await using pool = await connectServers({ s: { url: server.url, headers: { "X-Key": "k" } } });
    expect(other.heard).toEqual([]);
    expect(pool.servers()).toMatchObject([
      { state: "failed", code: "CONNECT_FAILED", reason: expect.stringContaining("redirects") },
    ]);
  });

  it("in the URL's user name are refused", async () => {
    await using pool = await connectServers({ s: { url: "https://user:canary@example.com/mcp" } });
    expect(pool.servers()).toMatchObject([{ code: "INVALID_SERVER" }]);
    expect(JSON.stringify(pool.missing())).not.toContain("canary");
  });
});

describe("a server over HTTP", () => {
  const failures: readonly [string, Handle, RegExp][] = [
    ["wants a sign-in", () => new Response("canary", { status: 401 }), /sign-in.*HTTP 401/],
    ["has no endpoint there", () => new Response("canary", { status: 404 }), /HTTP 404/],
    ["is broken", () => new Response("canary", { status: 503 }), /HTTP 503|revision/],
    [
      "is a web page",
      () => new Response("<p>canary", { headers: { "content-type": "text/html" } }),
      /revision|understood/,
    ],
    ["cuts the connection", () => undefined, /cut|reset|network/],
  ];

  it.each(failures)("that %s is named with the reason", async (_case, handle, reason) => {
    await using server = await openServer(handle);
    await using pool = await connectServers({ s: { url: server.url } });
    expect(pool.missing()).toMatchObject([{ server: "s", reason: expect.stringMatching(reason) }]);
    expect(JSON.stringify([pool.missing(), pool.servers()])).not.toContain("canary");
  });

  it("that nobody started is named with the reason", async () => {
    const { url, [Symbol.asyncDispose]: close } = await openServer(echo);
    await close();
    await using pool = await connectServers({ s: { url } });
    expect(pool.missing()).toMatchObject([{ reason: expect.stringContaining("nothing listens") }]);
  });

  it("that is silent fails at its connect limit", async () => {
    await using server = await openServer(() => new Promise(() => undefined));
    await using pool = await connectServers({ s: { url: server.url, connectTimeoutMs: 300 } });
    expect(pool.servers()).toMatchObject([{ code: "CONNECT_TIMEOUT" }]);
  });

  it("that breaks its answer off fails the call at once", async () => {
    const encoder = new TextEncoder();
    await using server = await openServer(
      handleLegacy(() => {
        const body = new ReadableStream<Uint8Array>({
          start(controller) {
            controller.enqueue(encoder.encode('event: message\ndata: {"jsonrpc"\n'));
            setTimeout(() => controller.error(new RangeError("cut")), 50);
          },
        });
        return new Response(body, { headers: { "content-type": "text/event-stream" } });
      }),
    );
    await using pool = await connectServers({ s: { url: server.url } });
    const began = performance.now();
    await expect(callTool(pool, "s_echo")).rejects.toMatchObject({ code: "CONNECTION_LOST" });
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  it("that fails one call fails that call only, with a result", async () => {
    let calls = 0;
    await using server = await openServer(
      handleLegacy((rpc) =>
        (calls += 1) === 1 ? new Response("canary", { status: 502 }) : toJson(rpc, { content }),
      ),
    );
    await using pool = await connectServers({ s: { url: server.url } });
    expect(await callTool(pool, "s_echo")).toMatchObject({
      isError: true,
      structuredContent: { error: "HTTP_ERROR", server: "s", status: 502 },
    });
    expect(await callTool(pool, "s_echo")).toEqual({ content });
  });

  it("that refuses the credential of a call rejects it", async () => {
    await using server = await openServer(handleLegacy(() => new Response(null, { status: 403 })));
    await using pool = await connectServers({ s: { url: server.url } });
    await expect(callTool(pool, "s_echo")).rejects.toMatchObject({
      code: "CREDENTIAL_REFUSED",
      data: { server: "s", status: 403 },
    });
  });

  it("that is gone loses the call, and is connected again when it is back", async () => {
    const first = await openServer(echo);
    await using pool = await connectServers({ s: { url: first.url } });
    await first[Symbol.asyncDispose]();
    await expect(callTool(pool, "s_echo")).rejects.toMatchObject({ code: "CONNECTION_LOST" });
    expect(await readNames(pool)).toEqual(["s_echo"]);
    await using second = await openServer(echo, first.port);
    expect(await callTool(pool, "s_echo")).toEqual({ content });
    expect(second.heard.length).toBeGreaterThan(0);
  });

  it("that sends too much at once fails the call with a code that says so", async () => {
    await using server = await openServer(
      handleLegacy((rpc) => toJson(rpc, { content: [{ type: "text", text: "x".repeat(5_000) }] })),
    );
    await using pool = await connectServers({ s: { url: server.url } }, { maxMessageBytes: 4_096 });
    await expect(callTool(pool, "s_echo")).rejects.toMatchObject({ code: "MESSAGE_TOO_LARGE" });
  });

  it.each([404, 400])(
    "that forgot the session with %i gets one new handshake and the call once more",
    async (status) => {
      let sessions = 0;
      let calls = 0;
      await using server = await openServer(async (request) => {
        const response = await handleLegacy((rpc, { headers }) => {
          calls += 1;
          if (headers.get("mcp-session-id") !== `session-${sessions}` || calls === 1)
            return new Response(null, { status });
          return toJson(rpc, { content });
        })(request.clone());
        if (!(await request.text()).includes('"initialize"') || response === undefined)
          return response;
        sessions += 1;
        const headers = {
          "content-type": "application/json",
          "mcp-session-id": `session-${sessions}`,
        };
        return new Response(response.body, { headers });
      });
      await using pool = await connectServers({ s: { url: server.url, protocol: "legacy" } });
      expect(await callTool(pool, "s_echo")).toEqual({ content });
      expect([sessions, calls]).toEqual([2, 2]);
    },
  );

  it("that forgets every session at once is not asked for ever", async () => {
    let calls = 0;
    await using server = await openServer(async (request) => {
      const response = await handleLegacy(() => {
        calls += 1;
        return new Response(null, { status: 404 });
      })(request);
      response?.headers.set("mcp-session-id", "s");
      return response;
    });
    await using pool = await connectServers({ s: { url: server.url, protocol: "legacy" } });
    await expect(callTool(pool, "s_echo")).rejects.toMatchObject({ code: "CONNECTION_LOST" });
    expect(calls).toBe(2);
  });

  it("is told of an abort in the legacy era", async () => {
    await using server = await openServer(
      handleLegacy(
        () =>
          new Response(new ReadableStream(), { headers: { "content-type": "text/event-stream" } }),
      ),
    );
    await using pool = await connectServers({ s: { url: server.url } });
    const abort = new AbortController();
    const calling = callTool(pool, "s_echo", { signal: abort.signal });
    const hears = (word: string): boolean => server.heard.some(({ body }) => body.includes(word));
    expect(await waitFor(() => hears("tools/call"))).toBe(true);
    abort.abort(new RangeError("enough"));
    await expect(calling).rejects.toThrow(RangeError);
    expect(await waitFor(() => hears("notifications/cancelled"))).toBe(true);
  });
});
