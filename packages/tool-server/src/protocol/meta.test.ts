import { describe, expect, it } from "vitest";
import { toCallerMeta, withoutReserved } from "./meta.js";

describe("toCallerMeta", () => {
  it("keeps what the caller says, without the protocol's and our own keys", () => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": {},
      "io.modelcontextprotocol/logLevel": "info",
      progressToken: 1,
      "dev.postern/granted": ["/"],
      "Dev.Postern/tags": [],
      traceparent: "00-1",
      nested: { "dev.postern/x": 1 },
    };
    expect(toCallerMeta(meta)).toEqual({ traceparent: "00-1", nested: { "dev.postern/x": 1 } });
  });

  it.each([undefined, null, "x", 1, [1]])("takes %j for nothing", (meta) => {
    expect(toCallerMeta(meta)).toEqual({});
  });

  it("keeps a member named __proto__ a member", () => {
    const meta = toCallerMeta(JSON.parse('{"__proto__":{"admin":true}}'));
    expect([Object.keys(meta), (meta as { admin?: boolean }).admin]).toEqual([
      ["__proto__"],
      undefined,
    ]);
  });
});

describe("withoutReserved", () => {
  it("gives back the same object when nothing has to go", () => {
    const result = { content: [], _meta: { a: 1 } };
    expect(withoutReserved(result)).toBe(result);
  });

  it("takes out our keys and the name of the server behind", () => {
    const meta = { a: 1, "dev.postern/x": 1, "io.modelcontextprotocol/serverInfo": { name: "u" } };
    expect(withoutReserved({ content: [], _meta: meta })).toEqual({ content: [], _meta: { a: 1 } });
  });
});
