import { describe, expect, it } from "vitest";
import { serveDomain } from "./serve-domain.js";

const token = "a-token-of-22-letters.";
const base = { host: "127.0.0.1", port: 0, version: "1.2.3", token: undefined } as const;

interface Answer {
  readonly status: number;
  readonly result?: unknown;
}

/** Sends one message as a client without sessions does, and reads the answer, sent as JSON or as an event. */
async function post(url: string, message: object, headers: object = {}): Promise<Answer> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-06-18",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
  });
  const text = await response.text();
  const json = /^data: (\{.*)$/m.exec(text)?.[1] ?? text;
  if (response.status !== 200) return { status: response.status };
  return { status: 200, result: (JSON.parse(json) as { readonly result?: unknown }).result };
}
const call = (name: string, args: object) => ({
  method: "tools/call",
  params: { name, arguments: args },
});

describe("serveDomain() without a token", () => {
  it("lists only tools that are read-only, with their tags", async () => {
    await using server = await serveDomain(base);
    const { result } = await post(server.url, { method: "tools/list" });
    const { tools } = result as { readonly tools: readonly Record<string, unknown>[] };
    expect(tools.map(({ name, annotations, _meta }) => ({ name, annotations, _meta }))).toEqual([
      {
        name: "find_models",
        annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
        _meta: { "dev.postern/tags": ["web", "neuroml", "neuroml-db"] },
      },
      {
        name: "describe_model",
        annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
        _meta: { "dev.postern/tags": ["neuroml"] },
      },
    ]);
  });

  it("answers a call", async () => {
    await using server = await serveDomain(base);
    const { result } = await post(server.url, call("find_models", { query: "cortex" }));
    expect(result).toMatchObject({
      structuredContent: { models: [{ id: "EX002", name: "Pyramidal cell of layer 5" }] },
    });
  });

  it("knows no tool that runs code", async () => {
    await using server = await serveDomain(base);
    const { result } = await post(server.url, call("run_simulation", {}));
    expect(result).toMatchObject({ isError: true, structuredContent: { error: "UNKNOWN_TOOL" } });
  });

  it("refuses another address than loopback", async () => {
    await expect(serveDomain({ ...base, host: "0.0.0.0" })).rejects.toMatchObject({
      code: "OPEN_BIND",
    });
  });
});

describe("serveDomain() with a token", () => {
  it("answers nobody without it", async () => {
    await using server = await serveDomain({ ...base, token });
    const wrong = { authorization: "Bearer a-token-of-22-letters!" };
    expect(await post(server.url, { method: "tools/list" })).toEqual({ status: 401 });
    expect(await post(server.url, { method: "tools/list" }, wrong)).toEqual({ status: 401 });
  });

  it("runs simulations for who sends it", async () => {
    await using server = await serveDomain({ ...base, token });
    const message = call("run_simulation", { id: "EX001", currentPicoamperes: 50, durationMs: 50 });
    const { result } = await post(server.url, message, { authorization: `Bearer ${token}` });
    expect(result).toMatchObject({
      structuredContent: { spikeCount: 7, firstSpikesMs: [6.8, 13.6, 20.4, 27.2, 34, 40.8, 47.6] },
    });
    expect(server.tools).toEqual(["find_models", "describe_model", "run_simulation"]);
  });
});
