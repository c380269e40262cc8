import { describe, expect, it } from "vitest";

describe("the exports", () => {
  it("of the root are these", async () => {
    expect(Object.keys(await import("./index.js")).toSorted()).toEqual([
      "bearerAuthentication",
      "createBearer",
      "createMcpEndpoint",
      "createMemoryNonceStore",
      "retryMetaKey",
      "serverErrors",
    ]);
  });

  it("of ./stdio are these", async () => {
    expect(Object.keys(await import("./stdio.js")).toSorted()).toEqual(["serveStdio"]);
  });

  it("of ./node are these", async () => {
    expect(Object.keys(await import("./node/index.js")).toSorted()).toEqual(["serveHttp"]);
  });

  it("of ./nonce-file are these", async () => {
    expect(Object.keys(await import("./nonce-file.js")).toSorted()).toEqual([
      "createFileNonceStore",
    ]);
  });

  it("of ./testing are these", async () => {
    expect(Object.keys(await import("./testing.js")).toSorted()).toEqual(["nonceStoreContract"]);
  });
});
