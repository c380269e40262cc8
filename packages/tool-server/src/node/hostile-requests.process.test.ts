import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { restrict, textResult, type CallOutcome, type JsonValue } from "@postern/tool";
import { afterEach, describe, expect, it } from "vitest";
import { call, caller, open, opened, send, token } from "../../fixtures/http.js";
import { createCall } from "../../fixtures/messages.js";
import { SampleSource } from "../../fixtures/sample-source.js";
import { bearerAuthentication } from "../index.js";

afterEach(() => opened[Symbol.asyncDispose]());

const body = JSON.stringify(createCall("echo", { text: "x" }));
const right = [
  "Host: localhost",
  `Authorization: Bearer ${token}`,
  "Content-Type: application/json",
  "Accept: application/json, text/event-stream",
  "MCP-Protocol-Version: 2026-07-28",
  "Mcp-Method: tools/call",
  "Mcp-Name: echo",
];

/** Sends bytes as they are, and gives all that comes back. */
async function sendRaw(port: number, text: string, waitMs = 1_500): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  const ended = new Promise<void>((resolve) => {
    socket.on("data", (chunk) => {
      answer += chunk.toString();
    });
    socket.on("error", () => resolve());
    socket.on("close", () => resolve());
  });
  socket.write(text);
  await Promise.race([ended, sleep(waitMs)]);
  socket.destroy();
  return answer;
}

function toRequest(lines: readonly string[], target = "/mcp", text = body): string {
  return `POST ${target} HTTP/1.1\r\n${lines.join("\r\n")}\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

const without = (name: string): readonly string[] =>
  right.filter((line) => !line.startsWith(`${name}:`));

describe("a request by hand", () => {
  const authenticate = bearerAuthentication([{ token, caller }]);

  it.each([
    ["as it should be", toRequest(right), 200],
    ["two hosts, the wrong one first", toRequest(["Host: evil.com", ...right]), 403],
    ["no host", toRequest(without("Host")), 400],
    ["a host with a user", toRequest(["Host: [::1]:80@evil.com", ...without("Host")]), 403],
    ["a look-alike host", toRequest(["Host: localhost.evil.com", ...without("Host")]), 403],
    ["a host that resolves here", toRequest(["Host: 127.0.0.1.nip.io", ...without("Host")]), 403],
    ["a host with a path", toRequest(["Host: localhost/evil.com", ...without("Host")]), 403],
    ["a host with a null", toRequest(["Host: localhost\0evil.com", ...without("Host")]), 400],
    ["an absolute target", toRequest(right, "http://evil.com/mcp"), 404],
    ["a target of two slashes", toRequest(right, "//evil.com/mcp"), 404],
    ["a target that climbs", toRequest(right, "/x/../mcp"), 404],
    ["an escaped target", toRequest(right, "/%6dcp"), 404],
    [
      "a token in the query",
      toRequest(without("Authorization"), `/mcp?access_token=${token}`),
      401,
    ],
    [
      "the wrong token before the right one",
      toRequest(["Authorization: Bearer wrong-wrong-wrong", ...right]),
      401,
    ],
    [
      "two tokens in one header",
      toRequest([...without("Authorization"), `Authorization: Bearer x, Bearer ${token}`]),
      401,
    ],
    [
      "the token in another case",
      toRequest([...without("Authorization"), `Authorization: Bearer ${token.toUpperCase()}`]),
      401,
    ],
    [
      "the token as a cookie",
      toRequest([...without("Authorization"), `Cookie: authorization=Bearer ${token}`]),
      401,
    ],
    ["an origin of null", toRequest([...right, "Origin: null"]), 403],
    ["a look-alike origin", toRequest([...right, "Origin: http://localhost.evil.com"]), 403],
    ["an origin with a user", toRequest([...right, "Origin: http://localhost@evil.com"]), 403],
    [
      "two origins",
      toRequest([...right, "Origin: http://localhost", "Origin: http://evil.com"]),
      403,
    ],
    ["text", toRequest([...without("Content-Type"), "Content-Type: text/plain"]), 415],
    [
      "text that holds the right type",
      toRequest([...without("Content-Type"), "Content-Type: text/plain;application/json"]),
      415,
    ],
    ["both lengths", toRequest([...right, "Transfer-Encoding: chunked"]), 400],
    ["two lengths", toRequest([...right, "Content-Length: 3"]), 400],
    ["a folded header", toRequest([...right, "X-A: b\r\n Authorization: Bearer x"]), 400],
    ["a lone line feed in a header", toRequest([...right, "X-A: b\nHost: evil.com"]), 400],
    ["an upgrade", toRequest([...right, "Upgrade: websocket"]), 200],
  ])("with %s", async (_what, text, status) => {
    const { port } = await open(undefined, { authenticate });
    const answer = await sendRaw(port, text);
    expect(Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])).toBe(status);
  });

  it("cannot bring a second one with it behind its body", async () => {
    const source = new SampleSource();
    const { port } = await open(source, { authenticate });
    const smuggled = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const first = toRequest(right).replace("Connection: close", "Connection: keep-alive");
    const answer = await sendRaw(port, first + smuggled, 500);
    expect([...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)).toEqual([
      "200",
      "401",
    ]);
    expect(source.calls).toHaveLength(1);
  });

  it.each(["CONNECT", "TRACE", "HEAD", "PURGE"])("cannot harm by the method %s", async (method) => {
    const { port, url } = await open(undefined, {
      authenticate: (request) =>
        Promise.resolve(request.headers.get("authorization") === null ? undefined : caller),
    });
    await sendRaw(port, toRequest(right).replace("POST", method), 300);
    const headers = { authorization: "Bearer x" };
    expect((await call(url, "echo", { headers })).status).toBe(200);
  });
});

const toRpc = (part: object): object => ({ jsonrpc: "2.0", id: 7, ...part });

describe("an answer", () => {
  // Without end: how deep JSON can go differs by Node release.
  const nested: Record<string, JsonValue> = {};
  nested["a"] = nested;

  it("nested beyond what can be written is an error to its caller, and harms nobody else", async () => {
    const source = new SampleSource();
    source.run = () =>
      Promise.resolve({ ...textResult("x"), structuredContent: nested } as CallOutcome);
    const { url } = await open(source);
    const answer = await call(url, "echo");
    expect(JSON.parse(answer.text)).toMatchObject({ id: 1, error: { code: -32_603 } });
  });

  it.each([
    ["of a prompt", { method: "prompts/get", params: { name: "greet" } }],
    ["of an older client's call", { method: "tools/call", params: { name: "echo" } }],
    ["of a batch", [{ method: "tools/call", params: { name: "echo" } }]],
  ])("%s that JSON cannot hold ends too, and nobody waits", async (_what, message) => {
    const source = new SampleSource();
    source.run = () => Promise.resolve({ ...textResult("x"), vendor: nested } as CallOutcome);
    source.answer = () => Promise.resolve({ messages: [], vendor: nested });
    const { url } = await open(source, { onError: () => undefined });
    const text = JSON.stringify(Array.isArray(message) ? message.map(toRpc) : toRpc(message));
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const answer = await Promise.race([send(url, text, { headers }), sleep(3_000)]);
    expect(answer).toMatchObject({ status: expect.any(Number) });
  });

  it("holds nothing of what a rule hides, under no method and no spelling", async () => {
    const source = new SampleSource();
    const visible = restrict(source, ({ name }) =>
      name === "echo" ? { allow: false, reason: "hidden" } : { allow: true },
    ) as SampleSource;
    const { url } = await open(visible);
    for (const name of ["echo", "Echo", "echo ", "\u0435cho", "echo\u200b", "ec\u0000ho"]) {
      const headers = { "mcp-name": "x" };
      await call(url, name, /^[\x20-\x7e]*$/.test(name) ? {} : { headers });
    }
    expect(source.calls).toEqual([]);
  });
});
