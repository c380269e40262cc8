import { chmod, chown, mkdir, stat, symlink, writeFile } from "node:fs/promises";
import { openFolder } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { ensurePrivateDirectory } from "./index.js";

const readMode = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

describe("ensurePrivateDirectory", () => {
  it("creates what is missing with mode 0700, and accepts it again", async () => {
    await using folder = await openFolder();
    await ensurePrivateDirectory(folder.join("a", "b"));
    await ensurePrivateDirectory(folder.join("a", "b"));
    expect(await readMode(folder.join("a"))).toBe(0o700);
    expect(await readMode(folder.join("a", "b"))).toBe(0o700);
  });

  it("accepts a folder that others can only look into, and leaves its mode", async () => {
    await using folder = await openFolder();
    await mkdir(folder.join("a"), { mode: 0o755 });
    await ensurePrivateDirectory(folder.join("a"));
    expect(await readMode(folder.join("a"))).toBe(0o755);
  });

  it.each([0o770, 0o702, 0o1777])("refuses a folder of mode %o", async (mode) => {
    await using folder = await openFolder();
    await mkdir(folder.join("a"));
    await chmod(folder.join("a"), mode);
    await expect(ensurePrivateDirectory(folder.join("a"))).rejects.toMatchObject({
      code: "NOT_PRIVATE",
      data: { path: folder.join("a") },
    });
  });

  it("refuses the folder of another user, also for root", async () => {
    await using folder = await openFolder();
    await mkdir(folder.join("a"), { mode: 0o700 });
    await chown(folder.join("a"), 65534, 65534);
    await expect(ensurePrivateDirectory(folder.join("a"))).rejects.toMatchObject({
      code: "NOT_PRIVATE",
      message: expect.stringContaining("65534"),
    });
  });

  it("refuses a file", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("a"), "");
    await expect(ensurePrivateDirectory(folder.join("a"))).rejects.toMatchObject({
      code: "NOT_PRIVATE",
    });
  });

  it("says when a folder cannot be created", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("file"), "");
    await symlink("nothing", folder.join("link"));
    const paths = ["/proc/no/folder", folder.join("file", "a"), folder.join("link", "a")];
    for (const path of paths)
      await expect(ensurePrivateDirectory(path)).rejects.toMatchObject({ code: "FILE_UNWRITABLE" });
  });
});
