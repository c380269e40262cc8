import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { waitFor } from "@postern/test-kit";
import { expect, test } from "vitest";
import { findChildren, openBench, type Bench } from "../test/built-program.js";

async function openSmall(): Promise<Bench> {
  const bench = await openBench();
  await bench.addSmall();
  return bench;
}

const hello = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};

/** Speaks JSON-RPC with a program over its pipes; every line that it writes must be a message. */
function speak(child: ChildProcess): (method: string, params: object) => Promise<unknown> {
  const waiting = new Map<number, (message: unknown) => void>();
  assert(child.stdout);
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line) as { id?: number };
    if (message.id !== undefined) waiting.get(message.id)?.(message);
  });
  let id = 0;
  return (method, params) => {
    id += 1;
    const answered = new Promise<unknown>((resolve) => waiting.set(id, resolve));
    child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return answered;
  };
}

test.concurrent("serves the tools over stdio, and ends with its servers when the client goes", async () => {
  await using bench = await openBench();
  await bench.addPeer("all", "everything");
  const child = bench.start("serve", "--proxy");
  const ask = speak(child);
  expect(await ask("initialize", hello)).toMatchObject({ result: { serverInfo: {} } });
  child.stdin?.write(
    `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`,
  );
  const call = { name: "all_echo", arguments: { message: "hi" } };
  expect(await ask("tools/call", call)).toMatchObject({
    result: { content: [{ type: "text", text: "Echo: hi" }] },
  });
  child.stdin?.end();
  const [code] = (await once(child, "close")) as [number];
  expect(code).toBe(0);
  expect(findChildren(child.pid)).toEqual([]);
});

test.concurrent("serves over HTTP with a bearer that is shown once, and ends at an interrupt", async () => {
  await using bench = await openSmall();
  const child = bench.start("serve", "--proxy", "--http", "0", "--json");
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (part: string) => (text += part));
  expect(await waitFor(() => text.endsWith("}\n"), 20_000)).toBe(true);
  const { url, token } = JSON.parse(text) as { url: string; token: string };
  const post = (headers: Record<string, string>): Promise<Response> =>
    fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: hello }),
    });
  expect((await post({})).status).toBe(401);
  expect((await post({ authorization: `Bearer ${token}` })).status).toBe(200);
  child.kill("SIGINT");
  const [code] = (await once(child, "close")) as [number];
  expect(code).toBe(130);
  expect(findChildren(child.pid)).toEqual([]);
});

test.concurrent("tells a person how to connect", async () => {
  await using bench = await openSmall();
  const child = bench.start("serve", "--proxy", "--http", "0");
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (part: string) => (text += part));
  expect(await waitFor(() => text.includes("claude mcp add"), 20_000)).toBe(true);
  expect(text).toMatch(/^Serving http:\/\/127\.0\.0\.1:\d+\/mcp$/m);
  expect(text).toMatch(/--header "Authorization: Bearer [\w-]{43}"$/m);
  child.kill("SIGTERM");
  const [code] = (await once(child, "close")) as [number];
  expect(code).toBe(143);
});

test.concurrent.each([
  [["--no-auth"], "NO_AUTH_REFUSED"],
  [["--no-auth", "--level", "read_only", "--host", "0.0.0.0"], "OPEN_BIND"],
  [["--no-auth", "--level", "read_only", "--allow-host", "host.example"], "NO_AUTH_REFUSED"],
])("refuses to serve openly with %j", async (flags, error) => {
  await using bench = await openSmall();
  const { code, answer } = await bench.json("serve", "--proxy", "--http", "0", ...flags);
  expect(code).toBe(2);
  expect(answer).toMatchObject({ error });
});
