import assert from "node:assert/strict";
import type { Consent, ConsentStore } from "./consent-store.js";

/** A store that is put to the test. */
export interface ConsentStoreSubject {
  /** Makes an empty store. */
  readonly create: () => ConsentStore | Promise<ConsentStore>;
  /** Makes a second store on what the first one keeps. Left out, the case about two is too. */
  readonly share?: (first: ConsentStore) => ConsentStore | Promise<ConsentStore>;
}

/** One thing that must hold. */
export interface ContractCase {
  /** What holds, in words; a name for a test. */
  readonly name: string;
  /** Resolves when it holds, rejects when not. */
  readonly run: () => Promise<void>;
}

type Check = (subject: ConsentStoreSubject) => Promise<void>;

const file: Consent = { path: "/out/a", covers: "file", tool: "read", at: 1 };
const folder: Consent = { path: "/out", covers: "folder", tool: "list", at: 2 };

const checks: Readonly<Record<string, Check>> = {
  "begins empty": async ({ create }) => {
    assert.deepEqual(await (await create()).list(), []);
  },
  "lists what was added, as it was": async ({ create }) => {
    const store = await create();
    await store.add(file);
    await store.add(folder);
    assert.deepEqual(await store.list(), [file, folder]);
  },
  "keeps the newest of a path and cover": async ({ create }) => {
    const store = await create();
    const newer: Consent = { ...file, tool: "write", at: 3 };
    const wider: Consent = { ...file, covers: "folder" };
    for (const each of [file, wider, newer]) await store.add(each);
    assert.deepEqual(await store.list(), [wider, newer]);
  },
  "revokes a path with every cover, and nothing else": async ({ create }) => {
    const store = await create();
    for (const each of [file, { ...file, covers: "folder" as const }, folder])
      await store.add(each);
    assert.equal(await store.revoke("/out/a"), true);
    assert.deepEqual(await store.list(), [folder]);
    assert.equal(await store.revoke("/out/a"), false);
  },
  "loses nothing of many that are added at once": async ({ create }) => {
    const store = await create();
    const paths = Array.from({ length: 20 }, (_, at) => `/out/${at}`);
    await Promise.all(paths.map((path) => store.add({ ...file, path })));
    const listed = (await store.list()).map(({ path }) => path);
    assert.deepEqual(listed.toSorted(), paths.toSorted());
  },
};

const sharedChecks: Readonly<Record<string, Check>> = {
  "shows one what another added or revoked": async ({ create, share }) => {
    const first = await create();
    assert.ok(share);
    const second = await share(first);
    await first.add(file);
    assert.deepEqual(await second.list(), [file]);
    await second.revoke(file.path);
    assert.deepEqual(await first.list(), []);
  },
};

/**
 * What every `ConsentStore` must do, as cases for any test runner.
 *
 * @param subject - How to make the store.
 * @returns The cases.
 */
export function consentStoreContract(subject: ConsentStoreSubject): readonly ContractCase[] {
  const all = subject.share === undefined ? checks : { ...checks, ...sharedChecks };
  return Object.entries(all).map(([name, check]) => ({ name, run: () => check(subject) }));
}
