import { request as sendRequest } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { waitFor } from "@postern/test-kit";
import { afterEach, describe, expect, it } from "vitest";
import { call, codeOf, createStuckSource, open, opened, send } from "../../fixtures/http.js";
import { createCall } from "../../fixtures/messages.js";
import { SampleSource } from "../../fixtures/sample-source.js";

afterEach(() => opened[Symbol.asyncDispose]());

describe("a body that is too large", () => {
  const headers = { "content-type": "application/json" };

  it("is refused by its announced length, before it is sent", async () => {
    const { url } = await open(undefined, { maxBodyBytes: 1_000 });
    const answer = await send(url, "x".repeat(5_000), { headers });
    expect([answer.status, codeOf(answer), answer.headers.connection]).toEqual([
      413,
      "BODY_TOO_LARGE",
      "close",
    ]);
  });

  it("is refused while it comes in chunks", async () => {
    const { url } = await open(undefined, { maxBodyBytes: 1_000 });
    const answer = await send(url, ["x".repeat(600), "x".repeat(600)], { headers });
    expect([answer.status, codeOf(answer)]).toEqual([413, "BODY_TOO_LARGE"]);
  });

  it("has its connection cut when it never ends, and harms nobody else", async () => {
    const { url, port } = await open(undefined, { maxBodyBytes: 1_000 });
    const socket = connect(port, "127.0.0.1");
    let isClosed = false;
    socket.on("error", () => undefined);
    socket.on("close", () => {
      isClosed = true;
    });
    socket.write(
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    const chunk = `1000\r\n${"x".repeat(4_096)}\r\n`;
    const timer = setInterval(() => void (socket.destroyed || socket.write(chunk)), 5);
    const isCut = await waitFor(() => isClosed);
    clearInterval(timer);
    expect([isCut, (await call(url, "echo")).status]).toEqual([true, 200]);
  });

  it("that breaks off is given up", async () => {
    const { url, port } = await open();
    const socket = connect(port, "127.0.0.1");
    socket.write(
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{",
    );
    await sleep(50);
    socket.destroy();
    expect((await call(url, "echo")).status).toBe(200);
  });
});

describe("a client that goes away", () => {
  it("has its call aborted", async () => {
    const { source, aborted } = createStuckSource();
    const { url } = await open(source);
    const body = JSON.stringify(createCall("slow"));
    const headers = {
      "content-type": "application/json",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "slow",
    };
    const outgoing = sendRequest(url, { method: "POST", headers });
    outgoing.on("error", () => undefined);
    outgoing.end(body);
    await waitFor(() => source.calls.length === 1);
    outgoing.destroy();
    expect(await waitFor(() => aborted() === 1)).toBe(true);
  });

  it("has its listening ended", async () => {
    const source = new SampleSource();
    const { url } = await open(source);
    const outgoing = sendRequest(url, { method: "GET", headers: { accept: "text/event-stream" } });
    outgoing.on("error", () => undefined);
    outgoing.end();
    await waitFor(() => source.listenerCount === 1);
    outgoing.destroy();
    expect(await waitFor(() => source.listenerCount === 0)).toBe(true);
  });

  it("cancels by a message only what is its own", async () => {
    const { source, aborted } = createStuckSource();
    const { url } = await open(source);
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const slow = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "slow" },
    });
    const cancel = JSON.stringify({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 1 },
    });
    const ends = ["a", "b"].map((name) =>
      send(url, slow, { headers: { ...headers, "mcp-session-id": name } }).catch(
        (error: unknown) => error,
      ),
    );
    await waitFor(() => source.calls.length === 2);
    await send(url, cancel, { headers: { ...headers, "mcp-session-id": "b" } });
    await send(url, cancel, { headers });
    const second = await ends[1];
    await sleep(50);
    expect([second, aborted()]).toMatchObject([{ status: 202, text: "" }, 1]);
  });
});
