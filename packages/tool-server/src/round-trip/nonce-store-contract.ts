import assert from "node:assert/strict";
import type { NonceStore } from "./nonce-store.js";

/** A store that is put to the test. */
export interface NonceStoreSubject {
  /** Makes an empty store. */
  readonly create: () => NonceStore | Promise<NonceStore>;
  /**
   * Makes a second store on what the first one keeps, as another process would. Without it the cases about several
   * processes are left out.
   */
  readonly share?: (first: NonceStore) => NonceStore | Promise<NonceStore>;
}

/** One thing that must hold. */
export interface ContractCase {
  /** What holds, in words; a name for a test. */
  readonly name: string;
  /** Resolves when it holds, rejects when not. */
  readonly run: () => Promise<void>;
}

type Check = (subject: NonceStoreSubject) => Promise<void>;

const later = (): number => Date.now() + 600_000;

const checks: Readonly<Record<string, Check>> = {
  "lets a nonce be used once": async ({ create }) => {
    const store = await create();
    const expiresAt = later();
    const uses = [];
    for (const _ of [1, 2, 3]) uses.push(await store.use("a", expiresAt));
    assert.deepEqual(uses, [true, false, false]);
  },
  "lets one win of many who use a nonce at once": async ({ create }) => {
    const store = await create();
    const expiresAt = later();
    const uses = await Promise.all(Array.from({ length: 50 }, () => store.use("a", expiresAt)));
    assert.equal(uses.filter(Boolean).length, 1);
  },
  "tells nonces apart by every character": async ({ create }) => {
    const store = await create();
    const expiresAt = later();
    const nonces = ["a", "A", "a ", "", ".", "..", "../a", "a/b", "a\u0000", "ä", "a\u0308"];
    nonces.push("x".repeat(5_000), `${"x".repeat(5_000)}y`);
    for (const nonce of nonces)
      assert.equal(await store.use(nonce, expiresAt), true, JSON.stringify(nonce.slice(0, 20)));
    for (const nonce of nonces)
      assert.equal(await store.use(nonce, expiresAt), false, JSON.stringify(nonce.slice(0, 20)));
  },
  "remembers a nonce while others come": async ({ create }) => {
    const store = await create();
    const expiresAt = later();
    assert.equal(await store.use("first", expiresAt), true);
    for (let at = 0; at < 500; at += 1) await store.use(`other ${at}`, expiresAt);
    assert.equal(await store.use("first", expiresAt), false);
  },
};

const sharedChecks: Readonly<Record<string, Check>> = {
  "lets a nonce be used once by all who share it": async (subject) => {
    const [first, second] = await openBoth(subject);
    const expiresAt = later();
    assert.equal(await first.use("a", expiresAt), true);
    assert.equal(await second.use("a", expiresAt), false);
  },
  "lets one win of many who share it and use a nonce at once": async (subject) => {
    const stores = await openBoth(subject);
    const expiresAt = later();
    for (let at = 0; at < 20; at += 1) {
      const uses = await Promise.all(
        [...stores, ...stores].map((store) => store.use(`nonce ${at}`, expiresAt)),
      );
      assert.equal(uses.filter(Boolean).length, 1);
    }
  },
};

async function openBoth(subject: NonceStoreSubject): Promise<readonly [NonceStore, NonceStore]> {
  const first = await subject.create();
  assert.ok(subject.share);
  return [first, await subject.share(first)];
}

/**
 * What every `NonceStore` must do, as cases for any test runner.
 *
 * @param subject - How to make the store.
 * @returns The cases.
 */
export function nonceStoreContract(subject: NonceStoreSubject): readonly ContractCase[] {
  const all = subject.share === undefined ? checks : { ...checks, ...sharedChecks };
  return Object.entries(all).map(([name, check]) => ({ name, run: () => check(subject) }));
}
