import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { openFolder } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { updateFile, withFileLock } from "./index.js";

describe("updateFile", () => {
  it("gives undefined for a missing file and creates it", async () => {
    await using folder = await openFolder();
    const seen: unknown[] = [];
    await updateFile(folder.join("a"), (text) => {
      seen.push(text);
      return "new";
    });
    expect(seen).toEqual([undefined]);
    expect(await readFile(folder.join("a"), "utf8")).toBe("new");
    expect(await readdir(folder.path)).toEqual(["a"]);
  });

  it("leaves the file alone for undefined and for the same text", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("a"), "old");
    const before = await stat(folder.join("a"));
    await updateFile(folder.join("a"), () => undefined);
    await updateFile(folder.join("a"), async (text) => text);
    const after = await stat(folder.join("a"));
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
    await updateFile(folder.join("b"), () => undefined);
    expect(await readdir(folder.path)).toEqual(["a"]);
  });

  it("loses none of 50 changes at once", async () => {
    await using folder = await openFolder();
    const add = (): Promise<void> =>
      updateFile(folder.join("a"), async (text = "") => `${text}x`, { durable: false });
    await Promise.all(Array.from({ length: 50 }, add));
    expect(await readFile(folder.join("a"), "utf8")).toBe("x".repeat(50));
  });

  it("gives back the lock and changes nothing when the change throws", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("a"), "old");
    const failure = new RangeError("no");
    const failed = updateFile(folder.join("a"), () => {
      throw failure;
    });
    await expect(failed).rejects.toBe(failure);
    await updateFile(folder.join("a"), (text) => `${text}!`);
    expect(await readFile(folder.join("a"), "utf8")).toBe("old!");
    expect(await readdir(folder.path)).toEqual(["a"]);
  });

  it("never replaces a file that it cannot read", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("a"), Uint8Array.of(0xff));
    await expect(updateFile(folder.join("a"), () => "new")).rejects.toMatchObject({
      code: "FILE_UNREADABLE",
    });
    expect([...(await readFile(folder.join("a")))]).toEqual([0xff]);
  });

  it("locks and writes the real file behind a symbolic link", async () => {
    await using folder = await openFolder();
    await mkdir(folder.join("real"));
    await symlink("real/a", folder.join("link"));
    await withFileLock(folder.join("real", "a"), async () => {
      const blocked = updateFile(folder.join("link"), () => "new", { timeoutMs: 20 });
      await expect(blocked).rejects.toMatchObject({ code: "LOCK_TIMEOUT" });
    });
    await updateFile(folder.join("link"), () => "new");
    expect(await readFile(folder.join("real", "a"), "utf8")).toBe("new");
  });
});
