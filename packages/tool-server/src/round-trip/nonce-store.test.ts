import { describe, expect, it } from "vitest";
import { nonceStoreContract } from "./nonce-store-contract.js";
import { createMemoryNonceStore } from "./nonce-store.js";

describe("createMemoryNonceStore()", () => {
  it.each(nonceStoreContract({ create: () => createMemoryNonceStore() }))("$name", async (each) => {
    await expect(each.run()).resolves.toBeUndefined();
  });

  it("refuses every use while it is full, and forgets only what expired", async () => {
    let time = 1_000;
    const store = createMemoryNonceStore({ maxNonces: 2, now: () => time });
    expect([
      await store.use("a", 2_000),
      await store.use("b", 3_000),
      await store.use("c", 3_000),
    ]).toEqual([true, true, false]);
    time = 2_000;
    expect([await store.use("c", 3_000), await store.use("d", 3_000)]).toEqual([true, false]);
    expect(await store.use("b", 3_000)).toBe(false);
  });
});
