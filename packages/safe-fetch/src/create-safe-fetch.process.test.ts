import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSite, type Site } from "../fixtures/site.js";
import { createSafeFetch } from "./index.js";
import type { SafeFetch, SafeRequest } from "./types.js";

const text = "the answer, ".repeat(50);
const bomb = gzipSync(Buffer.alloc(50_000_000));
const limits: SafeRequest = { timeoutMs: 5000, maxBytes: 100_000 };

let site: Site;
let other: Site;
let safeFetch: SafeFetch;

const encoded: Readonly<Record<string, readonly [string, Buffer]>> = {
  "/gzip": ["gzip", gzipSync(text)],
  "/x-gzip": ["X-GZIP", gzipSync(text)],
  "/br": ["br", brotliCompressSync(text)],
  "/deflate": ["deflate", deflateSync(text)],
  "/deflate-raw": ["deflate", deflateRawSync(text)],
  "/empty-gzip": ["gzip", Buffer.alloc(0)],
  "/bomb": ["gzip", bomb],
  "/double": ["gzip, gzip", gzipSync(gzipSync(text))],
  "/cut-gzip": ["gzip", gzipSync(text).subarray(0, 30)],
  "/no-gzip": ["gzip", Buffer.from(text)],
  "/unknown": ["zstd", Buffer.from(text)],
};

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://x");
  const coded = encoded[pathname];
  if (coded !== undefined) {
    response.writeHead(200, { "content-encoding": coded[0] }).end(coded[1]);
  } else if (pathname === "/echo") {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    response.end(JSON.stringify({ method: request.method, headers: request.headers, body }));
  } else if (pathname === "/to") {
    const location = searchParams.get("url") ?? "";
    response.writeHead(Number(searchParams.get("status") ?? 302), location ? { location } : {});
    response.end("moved");
  } else if (pathname === "/loop") {
    response.writeHead(302, { location: `/loop?${Math.random()}` }).end();
  } else if (pathname === "/hang") {
    // Never answered.
  } else if (pathname === "/drip") {
    response.write("first");
    const timer = setInterval(() => response.write("x"), 20);
    response.on("close", () => clearInterval(timer));
  } else if (pathname === "/cut") {
    response.writeHead(200, { "content-length": "1000" });
    response.write("only this");
    setTimeout(() => response.destroy(), 20);
  } else if (pathname === "/status") {
    response.writeHead(Number(searchParams.get("code"))).end("told");
  } else {
    response.end(pathname + text);
  }
}

beforeAll(async () => {
  site = await openSite((request, response) => void answer(request, response));
  other = await openSite((request, response) => void answer(request, response));
  safeFetch = createSafeFetch({
    allowHosts: () => [`site.test:${site.port}`, `other.test:${other.port}`, "münchen.test"],
    resolve: async () => ["127.0.0.1"],
    userAgent: "tests/1",
  });
});

afterAll(async () => {
  await safeFetch[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});

const at = (path: string, host = "site.test"): string =>
  `http://${host}:${host === "other.test" ? other.port : site.port}${path}`;

async function readText(url: string, request: Partial<SafeRequest> = {}): Promise<string> {
  const response = await safeFetch(url, { ...limits, ...request });
  return Buffer.from((await response.bytes()).data).toString();
}

interface Echo {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

async function readEcho(url: string, request: Partial<SafeRequest> = {}): Promise<Echo> {
  return JSON.parse(await readText(url, request)) as Echo;
}

async function readCode(url: string, request: Partial<SafeRequest> = {}): Promise<unknown> {
  return await readText(url, request).catch(({ code }: { code: string }) => code);
}

describe("createSafeFetch() for honest URLs", () => {
  it.each([
    "/",
    "/a/b/c.html",
    "/a?b=c&d=e",
    "/?u=http://127.0.0.1/",
    "/%20space",
    "/ä",
    "/a/../b",
    "/a//b",
    "/#fragment",
    "/127.0.0.1/",
    "/file.tar.gz",
    "/;a=b",
    "/@user",
    "/:80",
    "/status?code=404",
    "/status?code=500",
    "/status?code=201",
    "/gzip",
    "/x-gzip",
    "/br",
    "/deflate",
    "/deflate-raw",
  ])("fetches %s", async (path) => {
    const url = at(path);
    const response = await safeFetch(url, limits);
    const { data, truncated } = await response.bytes();
    expect(Buffer.from(data).toString()).toMatch(/the answer, |^told$/);
    expect([response.url, response.redirects, truncated]).toEqual([new URL(url).href, [], false]);
  });

  it.each(["SITE.TEST", "site.test.", "%73ite.test", "ｓｉｔｅ.test", "site。test"])(
    "fetches from %s",
    async (host) => {
      expect(await readText(at("/", host))).toContain("the answer");
    },
  );

  it("fetches from an international name", async () => {
    expect((await readEcho(at("/echo", "münchen.test"))).headers["host"]).toBe(
      `xn--mnchen-3ya.test:${site.port}`,
    );
  });

  it("says who it is, and lets the caller say it", async () => {
    expect((await readEcho(at("/echo"))).headers).toMatchObject({
      "user-agent": "tests/1",
      "accept-encoding": "gzip, deflate, br",
    });
    const headers = { "User-Agent": "mine", "X-Key": "k" };
    expect((await readEcho(at("/echo"), { headers })).headers).toMatchObject({
      "user-agent": "mine",
      "x-key": "k",
    });
  });

  it("posts a body", async () => {
    const headers = { "content-type": "application/json" };
    expect(
      await readEcho(at("/echo"), { method: "POST", body: '{"a":"ä"}', headers }),
    ).toMatchObject({
      method: "POST",
      body: '{"a":"ä"}',
      headers: { "content-length": "10", ...headers },
    });
  });

  it.each(["Host", "content-length", "Transfer-Encoding", "Proxy-Authorization"])(
    "leaves the header %s to the transport",
    async (name) => {
      expect(await readCode(at("/"), { headers: { [name]: "1" } })).toBe("INVALID_HEADER");
    },
  );

  it("reads an empty body that claims to be compressed", async () => {
    expect(await readText(at("/empty-gzip"))).toBe("");
  });
});

const to = (url: string, status = 302): string =>
  at(`/to?status=${status}&url=${encodeURIComponent(url)}`);

describe("redirects", () => {
  it("are followed, named, and may be relative", async () => {
    const response = await safeFetch(to("/to?url=../b%23part"), limits);
    await response.close();
    expect([response.status, response.url, response.redirects]).toEqual([
      200,
      at("/b#part"),
      [to("/to?url=../b%23part"), at("/to?url=../b%23part")],
    ]);
  });

  it("end after five, or as many as the caller says", async () => {
    expect(await readCode(at("/loop"))).toBe("TOO_MANY_REDIRECTS");
    const before = site.connections();
    expect(await readCode(at("/loop"), { maxHops: 2 })).toBe("TOO_MANY_REDIRECTS");
    expect(site.connections() - before).toBe(3);
  });

  it("without a Location are refused", async () => {
    expect(await readCode(to(""))).toBe("REDIRECT_REFUSED");
  });

  it.each([
    { status: 301, method: "GET", body: "" },
    { status: 302, method: "GET", body: "" },
    { status: 303, method: "GET", body: "" },
    { status: 307, method: "POST", body: "posted" },
    { status: 308, method: "POST", body: "posted" },
  ])("$status sends a POST on as $method", async ({ status, method, body }) => {
    const request = { method: "POST", body: "posted", headers: { "content-type": "a/b" } } as const;
    const echo = await readEcho(to("/echo", status), request);
    expect([echo.method, echo.body]).toEqual([method, body]);
    expect("content-type" in echo.headers).toBe(method === "POST");
  });

  it("carry no header of the caller's to another origin", async () => {
    const headers = { authorization: "Bearer k", cookie: "c", "x-api-key": "k", accept: "a/b" };
    expect((await readEcho(to("/echo"), { headers })).headers).toMatchObject(headers);
    const elsewhere = await readEcho(to(at("/echo", "other.test")), { headers });
    expect(elsewhere.headers).toEqual({
      accept: "a/b",
      "accept-encoding": "gzip, deflate, br",
      connection: "keep-alive",
      host: `other.test:${other.port}`,
      "user-agent": "tests/1",
    });
  });

  it("carry nothing that was posted to another origin", async () => {
    const before = other.connections();
    const url = to(at("/echo", "other.test"), 307);
    expect(await readCode(url, { method: "POST", body: "secret" })).toBe("REDIRECT_REFUSED");
    expect(other.connections()).toBe(before);
  });
});

describe("limits", () => {
  it("fail a body that says it is too long, before it is read", async () => {
    await expect(safeFetch(at("/cut"), { ...limits, maxBytes: 999 })).rejects.toMatchObject({
      code: "RESPONSE_TOO_LARGE",
      data: { maxBytes: 999 },
    });
  });

  it("fail or cut a body that is too long, at exactly the limit", async () => {
    expect(await readCode(at("/"), { maxBytes: 600 })).toBe("RESPONSE_TOO_LARGE");
    expect(await readText(at("/"), { maxBytes: 601 })).toBe(`/${text}`);
    const response = await safeFetch(at("/"), { ...limits, maxBytes: 5, onTooLarge: "truncate" });
    expect(await response.bytes()).toEqual({ data: Buffer.from("/the "), truncated: true });
  });

  it("hold for what is decompressed: 50 MB out of 50 KB", async () => {
    expect(await readCode(at("/bomb"))).toBe("RESPONSE_TOO_LARGE");
    const response = await safeFetch(at("/bomb"), { ...limits, onTooLarge: "truncate" });
    const { data, truncated } = await response.bytes();
    expect([data.length, truncated]).toEqual([limits.maxBytes, true]);
  });

  it.each(["/double", "/cut-gzip", "/no-gzip", "/unknown"])(
    "refuse %s as unreadable",
    async (path) => {
      expect(await readCode(at(path))).toBe("RESPONSE_UNREADABLE");
    },
  );

  it("fail a body that ends too early", async () => {
    expect(await readCode(at("/cut"))).toBe("CONNECTION_FAILED");
  });

  it.each(["/hang", "/drip"])("end %s at the time-out", async (path) => {
    const start = performance.now();
    expect(await readCode(at(path), { timeoutMs: 200 })).toBe("FETCH_TIMEOUT");
    expect(performance.now() - start).toBeLessThan(1500);
  });

  it("end a name that is never resolved at the time-out", async () => {
    await using hanging = createSafeFetch({ resolve: () => new Promise(() => undefined) });
    await expect(hanging("http://site.test/", { ...limits, timeoutMs: 100 })).rejects.toMatchObject(
      {
        code: "FETCH_TIMEOUT",
        message: "It was not complete within 0.1 seconds. Allow more time, or try again later.",
      },
    );
  });

  it("end a chain of redirects at the time-out of them all", async () => {
    await using slow = createSafeFetch({
      allowHosts: () => ["site.test"],
      resolve: async () => {
        await new Promise((resolve) => setTimeout(resolve, 90));
        return ["127.0.0.1"];
      },
    });
    await expect(slow(at("/loop"), { ...limits, timeoutMs: 200 })).rejects.toMatchObject({
      code: "FETCH_TIMEOUT",
    });
  });

  it("end with the caller's signal, before and while", async () => {
    expect(await readCode(at("/"), { signal: AbortSignal.abort() })).toBe("ABORTED");
    const controller = new AbortController();
    const response = await safeFetch(at("/drip"), { ...limits, signal: controller.signal });
    const reading = response.bytes();
    controller.abort();
    await expect(reading).rejects.toMatchObject({ code: "ABORTED" });
  });

  it("leave no connection behind when the caller breaks off, or never reads", async () => {
    await using one = await openSite((request, response) => void answer(request, response));
    await using mine = createSafeFetch({ allowHosts: () => ["127.0.0.1"] });
    const url = `http://127.0.0.1:${one.port}/drip`;
    for await (const chunk of (await mine(url, limits)).body) if (chunk.length > 0) break;
    await (await mine(url, limits)).close();
    await mine(url, { ...limits, timeoutMs: 100 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([one.connections(), await one.readOpen()]).toEqual([3, 0]);
  });

  it("end everything when it is disposed of", async () => {
    const mine = createSafeFetch({ allowHosts: () => ["127.0.0.1"] });
    const reading = (await mine(`http://127.0.0.1:${site.port}/drip`, limits)).bytes();
    await mine[Symbol.asyncDispose]();
    await expect(reading).rejects.toMatchObject({ code: "ABORTED" });
  });

  it("name a host that nobody answers for", async () => {
    await using closed = await openSite(() => undefined);
    const { port } = closed;
    await closed[Symbol.asyncDispose]();
    await using mine = createSafeFetch({
      allowHosts: () => ["gone.test"],
      resolve: async () => ["127.0.0.1"],
    });
    await expect(mine(`http://gone.test:${port}/`, limits)).rejects.toMatchObject({
      code: "CONNECTION_FAILED",
      message:
        'The exchange with "gone.test" failed (ECONNREFUSED). Try again later, or another address.',
    });
  });

  it("name a host that is not known", async () => {
    await using mine = createSafeFetch({
      resolve: async (host) => Promise.reject(Object.assign(new TypeError(host), { code: "E" })),
    });
    await expect(mine("http://nowhere.test/", limits)).rejects.toMatchObject({
      code: "HOST_UNKNOWN",
    });
  });

  it("refuse an answer that is not HTTP", async () => {
    await using raw = await openRaw("* OK IMAP4rev1\r\n");
    await using mine = createSafeFetch({ allowHosts: () => ["127.0.0.1"] });
    await expect(mine(`http://127.0.0.1:${raw.port}/`, limits)).rejects.toMatchObject({
      code: "CONNECTION_FAILED",
    });
  });
});

async function openRaw(greeting: string): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined).resume();
    socket.end(greeting);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, resolve);
  });
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  return {
    port,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}
