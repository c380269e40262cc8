import { describe, expect, it } from "vitest";
import { bearerAuthentication, createBearer, findHeaderCheck } from "./bearer.js";

const ann = { kind: "remote", id: "ann", scopes: [] } as const;
const bob = { kind: "remote", id: "bob", scopes: ["consent"] } as const;
const annToken = "a".repeat(16);
const authenticate = bearerAuthentication([
  { token: annToken, caller: ann },
  { token: "b".repeat(40), caller: bob },
]);

function ask(authorization?: string): ReturnType<typeof authenticate> {
  const headers = authorization === undefined ? {} : { authorization };
  return authenticate(new Request("http://localhost/mcp", { headers }));
}

describe("bearerAuthentication", () => {
  it.each([
    [`Bearer ${annToken}`, ann],
    [`bearer ${annToken}`, ann],
    [`Bearer  ${"b".repeat(40)}`, bob],
  ])("recognises %s", async (header, caller) => {
    expect(await ask(header)).toBe(caller);
  });

  it.each([
    annToken,
    "Bearer",
    "Bearer ",
    `Bearer ${annToken}x`,
    `Bearer ${annToken.slice(1)}`,
    `Bearer ${"a".repeat(15)}b`,
    `Basic ${annToken}`,
    `Bearer ${annToken} x`,
    `Bearer x, Bearer ${annToken}`,
  ])("does not recognise %s", async (header) => {
    expect(await ask(header)).toBeUndefined();
  });

  it("does not recognise a request without a credential", async () => {
    expect(await ask()).toBeUndefined();
  });

  it("can be asked by the header alone", () => {
    expect(findHeaderCheck(authenticate)?.(`Bearer ${annToken}`)).toBe(ann);
  });

  it.each([[[]], [[{ token: "short", caller: ann }]]])("refuses the tokens %j", (tokens) => {
    expect(() => bearerAuthentication(tokens)).toThrow(
      expect.objectContaining({ code: "INVALID_OPTIONS" }),
    );
  });
});

describe("createBearer", () => {
  it("makes 32 random bytes in base64url", () => {
    const tokens = new Set(Array.from({ length: 50 }, createBearer));
    expect([tokens.size, [...tokens].every((token) => /^[\w-]{43}$/.test(token))]).toEqual([
      50,
      true,
    ]);
  });
});
