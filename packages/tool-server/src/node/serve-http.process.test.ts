import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { waitFor } from "@postern/test-kit";
import { textResult } from "@postern/tool";
import { afterEach, describe, expect, it } from "vitest";
import {
  call,
  caller,
  codeOf,
  createStuckSource,
  identity,
  open,
  opened,
  send,
  token,
  type Answer,
} from "../../fixtures/http.js";
import { envelope } from "../../fixtures/messages.js";
import { SampleSource, toText } from "../../fixtures/sample-source.js";
import { bearerAuthentication, createMcpEndpoint } from "../index.js";
import { serveHttp } from "./index.js";

afterEach(() => opened[Symbol.asyncDispose]());

async function say(request: Request): Promise<Response> {
  return Response.json({ said: await request.text(), path: new URL(request.url).pathname });
}

describe("serveHttp", () => {
  it("serves on loopback and says where", async () => {
    const server = await open();
    const { status, headers } = await call(server.url, "echo");
    expect([server.url, status, headers["content-type"]]).toEqual([
      `http://127.0.0.1:${server.port}/mcp`,
      200,
      "application/json",
    ]);
  });

  it("replaces no global object", async () => {
    const before = [globalThis.Request, globalThis.Response, globalThis.Headers];
    await open();
    const after = [globalThis.Request, globalThis.Response, globalThis.Headers];
    expect(after.map((object, at) => object === before[at])).toEqual([true, true, true]);
  });

  it("keeps 200 calls of one id apart", async () => {
    const source = new SampleSource();
    source.run = async ({ arguments: args }) => {
      await sleep(Math.random() * 20);
      return textResult(toText(args["text"]));
    };
    const { url } = await open(source);
    const texts = Array.from({ length: 200 }, (_, at) => `call ${at}`);
    const answers = await Promise.all(texts.map((text) => call(url, "echo", { text })));
    const said = answers.map(
      ({ text }) =>
        (JSON.parse(text) as { result: { content: { text: string }[] } }).result.content[0]?.text,
    );
    expect(said).toEqual(texts);
  });

  it.each([{ host: "0.0.0.0" }, { host: "::" }, { host: "192.0.2.1" }])(
    "refuses the open address %j without authentication",
    async (options) => {
      const endpoint = createMcpEndpoint(identity, new SampleSource());
      await expect(serveHttp(endpoint, options)).rejects.toMatchObject({ code: "OPEN_BIND" });
    },
  );

  it("refuses a name beyond this machine without authentication, for a tunnel opens the port", async () => {
    const endpoint = createMcpEndpoint(identity, new SampleSource(), {
      allowedHosts: ["x.example"],
    });
    await expect(serveHttp(endpoint)).rejects.toMatchObject({ code: "OPEN_BIND" });
  });

  it("refuses the same of any other endpoint", async () => {
    const endpoint = { fetch: () => new Response("x"), authenticated: false };
    await expect(serveHttp(endpoint, { host: "0.0.0.0" })).rejects.toMatchObject({
      code: "OPEN_BIND",
    });
  });

  it("opens an address to all once the endpoint authenticates", async () => {
    const authenticate = bearerAuthentication([{ token, caller }]);
    const endpoint = opened.use(createMcpEndpoint(identity, new SampleSource(), { authenticate }));
    const server = opened.use(await serveHttp(endpoint, { host: "0.0.0.0", drainMs: 0 }));
    const url = `http://127.0.0.1:${server.port}/mcp`;
    const headers = { authorization: `Bearer ${token}` };
    expect([
      (await call(url, "echo")).status,
      (await call(url, "echo", { headers })).status,
    ]).toEqual([401, 200]);
  });

  it("says that a port is taken", async () => {
    const { port } = await open();
    const endpoint = createMcpEndpoint(identity, new SampleSource());
    await expect(serveHttp(endpoint, { port })).rejects.toMatchObject({
      code: "PORT_UNAVAILABLE",
      data: { host: "127.0.0.1", port, reason: "EADDRINUSE" },
    });
  });

  it("serves any other fetch", async () => {
    const server = opened.use(
      await serveHttp({ fetch: say, authenticated: false, path: "/x" }, { drainMs: 0 }),
    );
    const { status, text } = await send(server.url, "hello");
    expect([status, JSON.parse(text)]).toEqual([200, { said: "hello", path: "/x" }]);
  });
});

describe("the door of a served endpoint", () => {
  it.each([
    [{ host: "evil.example" }, 403, "FORBIDDEN_HOST"],
    [{ host: "evil.example", "x-forwarded-host": "localhost" }, 403, "FORBIDDEN_HOST"],
    [{ origin: "https://evil.example" }, 403, "FORBIDDEN_ORIGIN"],
    [{ "content-type": "text/plain" }, 415, "UNSUPPORTED_MEDIA_TYPE"],
  ])("answers %j with %i", async (headers, status, code) => {
    const { url } = await open();
    const answer = await call(url, "echo", { headers });
    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
  });

  it("takes no host from an absolute target", async () => {
    const { url, port } = await open();
    const answer = await send(url, "{}", {
      path: `http://localhost:${port}/mcp`,
      headers: { host: "evil.example" },
    });
    expect(answer.status).toBe(403);
  });

  it("limits wrong credentials of an address, never the right one", async () => {
    const { url } = await open(undefined, {
      authenticate: bearerAuthentication([{ token, caller }]),
    });
    const statuses = [];
    for (let count = 0; count < 12; count += 1)
      statuses.push(
        (await call(url, "echo", { headers: { authorization: "Bearer wrong" } })).status,
      );
    const right = await call(url, "echo", { headers: { authorization: `Bearer ${token}` } });
    const none = await call(url, "echo");
    expect([statuses.slice(9), right.status, none.status]).toEqual([[401, 429, 429], 200, 401]);
  });

  it("says when to try again", async () => {
    const { url } = await open(undefined, {
      authenticate: bearerAuthentication([{ token, caller }]),
    });
    let answer: Answer | undefined;
    for (let count = 0; count < 11; count += 1)
      answer = await call(url, "echo", { headers: { authorization: "Bearer wrong" } });
    expect(answer).toMatchObject({
      status: 429,
      headers: { "retry-after": expect.stringMatching(/^[1-9]\d*$/) as string },
      text: expect.stringContaining('"error":"TOO_MANY_FAILURES"') as string,
    });
  });

  it("gives a custom authentication the whole request", async () => {
    const seen: unknown[] = [];
    const { url } = await open(undefined, {
      authenticate: (request) => {
        seen.push([request.method, new URL(request.url).pathname, request.headers.get("x-key")]);
        return Promise.resolve(caller);
      },
    });
    await call(url, "echo", { headers: { "x-key": "k" } });
    expect(seen).toEqual([["POST", "/mcp", "k"]]);
  });
});

describe("the end of a server", () => {
  it("lets running calls finish", async () => {
    const source = new SampleSource();
    source.run = async () => {
      await sleep(150);
      return textResult("done");
    };
    const server = await open(source, {}, 5_000);
    const running = call(server.url, "slow");
    await waitFor(() => source.calls.length === 1);
    const start = Date.now();
    await server.close();
    expect([(await running).status, Date.now() - start < 2_000]).toEqual([200, true]);
  });

  it("cuts and aborts what does not finish in time", async () => {
    const { source, aborted } = createStuckSource();
    const server = await open(source, {}, 100);
    const running = call(server.url, "slow").catch(() => "cut");
    await waitFor(() => source.calls.length === 1);
    await server.close();
    expect([await running, await waitFor(() => aborted() === 1)]).toEqual(["cut", true]);
  });

  it("ends streams at once", async () => {
    const server = await open(new SampleSource(), {}, 10_000);
    const legacy = send(server.url, "", {
      method: "GET",
      headers: { accept: "text/event-stream" },
    });
    const listen = {
      jsonrpc: "2.0",
      id: 9,
      method: "subscriptions/listen",
      params: { _meta: envelope, notifications: { toolsListChanged: true } },
    };
    const modern = send(server.url, JSON.stringify(listen), {
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "subscriptions/listen",
      },
    });
    await sleep(200);
    const start = Date.now();
    await server.close();
    expect([
      Date.now() - start < 2_000,
      (await legacy).text,
      (await modern).text.includes('"id":9'),
    ]).toEqual([true, ": open\n\n", true]);
  });

  it("does not wait for a connection on which nothing was ever sent", async () => {
    const server = await open(new SampleSource(), {}, 10_000);
    const silent = connect(server.port, "127.0.0.1");
    await once(silent, "connect");
    const start = Date.now();
    await server.close();
    expect(Date.now() - start).toBeLessThan(2_000);
    silent.destroy();
  });

  it("may be asked for twice", async () => {
    const server = await open();
    await Promise.all([server.close(), server.close()]);
    await expect(call(server.url, "echo")).rejects.toThrow("ECONNREFUSED");
  });
});
