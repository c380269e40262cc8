import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { openFolder } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { createSpillStore } from "./index.js";

const readContents = async (folder: string): Promise<readonly string[]> => {
  const names = await readdir(folder);
  return (await Promise.all(names.map((name) => readFile(`${folder}/${name}`, "utf8")))).toSorted();
};

describe("createSpillStore", () => {
  it("stores an output as a file of mode 0600 in a folder of mode 0700", async () => {
    await using folder = await openFolder();
    const store = createSpillStore(folder.join("spills"));
    const text = await store.write("é");
    const bytes = await store.write(Uint8Array.of(1, 2, 3));
    expect([text.bytes, bytes.bytes]).toEqual([2, 3]);
    expect(await readFile(text.path, "utf8")).toBe("é");
    expect((await stat(text.path)).mode & 0o777).toBe(0o600);
    expect((await stat(folder.join("spills"))).mode & 0o777).toBe(0o700);
  });

  it("keeps the newest files up to the count", async () => {
    await using folder = await openFolder();
    let timeMs = 1;
    const store = createSpillStore(folder.path, { maxFiles: 2, maxAgeMs: 1e9, now: () => timeMs });
    for (const text of ["a", "b", "c"]) {
      timeMs += 1;
      await store.write(text);
    }
    expect(await readContents(folder.path)).toEqual(["b", "c"]);
  });

  it("keeps the newest files up to the size", async () => {
    await using folder = await openFolder();
    let timeMs = 1;
    const store = createSpillStore(folder.path, { maxBytes: 5, now: () => timeMs });
    for (const text of ["aaa", "bb", "ccc"]) {
      timeMs += 1;
      await store.write(text);
    }
    expect(await readContents(folder.path)).toEqual(["bb", "ccc"]);
  });

  it("deletes what is too old, also without a write", async () => {
    await using folder = await openFolder();
    let timeMs = 1_000;
    const store = createSpillStore(folder.path, { maxAgeMs: 100, now: () => timeMs });
    await store.write("old");
    timeMs += 100;
    await store.write("young");
    timeMs += 1;
    await store.deleteExpired();
    expect(await readContents(folder.path)).toEqual(["young"]);
  });

  it("never deletes what it just wrote, also when the clock stands still or goes back", async () => {
    await using folder = await openFolder();
    let timeMs = 1_000;
    const store = createSpillStore(folder.path, { maxFiles: 1, now: () => timeMs });
    for (const text of ["a", "b", "c", "d"]) {
      const { path } = await store.write(text);
      expect(await readFile(path, "utf8")).toBe(text);
      timeMs -= 1;
    }
    expect(await readContents(folder.path)).toEqual(["d"]);
  });

  it("has nothing to delete where nothing was stored", async () => {
    await using folder = await openFolder();
    await createSpillStore(folder.join("spills")).deleteExpired();
    expect(await readdir(folder.path)).toEqual([]);
  });

  it("never touches other files", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("spill-notes.txt"), "mine");
    await createSpillStore(folder.path, { maxFiles: 1 }).write("a");
    await createSpillStore(folder.path, { maxFiles: 1 }).write("b");
    expect(await readContents(folder.path)).toEqual(["b", "mine"]);
  });

  it("refuses an output that is larger than the whole store", async () => {
    await using folder = await openFolder();
    const store = createSpillStore(folder.path, { maxBytes: 3 });
    await store.write("abc");
    await expect(store.write("abcd")).rejects.toMatchObject({
      code: "SPILL_TOO_LARGE",
      data: { bytes: 4, maxBytes: 3 },
    });
    expect(await readContents(folder.path)).toEqual(["abc"]);
  });

  it("refuses a folder that others can write to", async () => {
    await expect(createSpillStore("/tmp").write("a")).rejects.toMatchObject({
      code: "NOT_PRIVATE",
    });
  });

  it("says when the folder cannot be created", async () => {
    await expect(createSpillStore("/proc/no").write("a")).rejects.toMatchObject({
      code: "FILE_UNWRITABLE",
    });
  });
});
