import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { bundleSource, openFolder, type Folder } from "@postern/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFileNonceStore } from "./file-nonce-store.js";
import { nonceStoreContract } from "./nonce-store-contract.js";
import type { NonceStore } from "./nonce-store.js";

const run = promisify(execFile);
let folder: Folder;
let count = 0;
const folders = new WeakMap<NonceStore, string>();

beforeAll(async () => {
  folder = await openFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

function create(): NonceStore {
  count += 1;
  const path = folder.join("stores", String(count));
  const store = createFileNonceStore(path);
  folders.set(store, path);
  return store;
}

const share = (first: NonceStore): NonceStore => createFileNonceStore(folders.get(first) ?? "");
const use = (path: string): Promise<boolean> => createFileNonceStore(path).use("a", Date.now());

describe("createFileNonceStore()", () => {
  it.each(nonceStoreContract({ create, share }))("$name", async (each) => {
    await expect(each.run()).resolves.toBeUndefined();
  });

  it("lets one of many processes use a nonce", async () => {
    const fixture = new URL("../../fixtures/use-nonce.ts", import.meta.url).pathname;
    const bundle = await bundleSource(fixture, folder.path);
    const args = [bundle, folder.join("shared"), String(Date.now() + 600_000)];
    const runs = await Promise.all(
      Array.from({ length: 6 }, () => run(process.execPath, [...args])),
    );
    const wins = runs.map(({ stdout }) => JSON.parse(stdout) as boolean[]);
    const perNonce = (wins[0] ?? []).map((_, at) => wins.filter((uses) => uses[at]).length);
    expect(perNonce).toEqual(Array.from({ length: 50 }, () => 1));
  });

  it("keeps what can still be sent, and removes what expired, but nothing of others", async () => {
    const path = folder.join("swept");
    const old = `${Date.now() - 120_000}-${"a".repeat(64)}`;
    const recent = `${Date.now() - 1_000}-${"b".repeat(64)}`;
    await mkdir(path, { mode: 0o700 });
    for (const name of [old, recent, "notes.txt"]) await writeFile(folder.join("swept", name), "");
    expect(await createFileNonceStore(path).use("a", Date.now() + 1_000)).toBe(true);
    const left = await readdir(path);
    expect([left.includes(old), left.includes(recent), left.includes("notes.txt")]).toEqual([
      false,
      true,
      true,
    ]);
    expect(left).toHaveLength(3);
  });

  it("rejects where others could write, and where it cannot write", async () => {
    const open = folder.join("open");
    await mkdir(open);
    await chmod(open, 0o777);
    await expect(use(open)).rejects.toMatchObject({ code: "NOT_PRIVATE" });
    await writeFile(folder.join("file"), "");
    await expect(use(folder.join("file", "below"))).rejects.toMatchObject({
      code: "FILE_UNWRITABLE",
    });
  });
});
