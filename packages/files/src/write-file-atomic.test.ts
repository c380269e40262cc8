import {
  chmod,
  chown,
  mkdir,
  readdir,
  readFile,
  readlink,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { openFolder } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { updateFile, writeFileAtomic } from "./index.js";
import { createTemporaryPath } from "./temporary-name.js";

const readMode = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

describe("writeFileAtomic", () => {
  it("writes text and bytes, with nothing left beside", async () => {
    await using folder = await openFolder();
    await writeFileAtomic(folder.join("a"), "text");
    await writeFileAtomic(folder.join("b"), Uint8Array.of(1, 2), { durable: false });
    expect(await readFile(folder.join("a"), "utf8")).toBe("text");
    expect([...(await readFile(folder.join("b")))]).toEqual([1, 2]);
    expect(await readdir(folder.path)).toEqual(["a", "b"]);
  });

  it("gives a new file the mode 0600, or the one asked for", async () => {
    await using folder = await openFolder();
    await writeFileAtomic(folder.join("a"), "");
    await writeFileAtomic(folder.join("b"), "", { mode: 0o644 });
    expect(await readMode(folder.join("a"))).toBe(0o600);
    expect(await readMode(folder.join("b"))).toBe(0o644);
  });

  it("keeps the mode of an existing file, beyond the umask too", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("a"), "old");
    await chmod(folder.join("a"), 0o666);
    await writeFileAtomic(folder.join("a"), "new");
    expect(await readMode(folder.join("a"))).toBe(0o666);
  });

  it("narrows an existing file to the mode asked for, and never widens it", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("a"), "old", { mode: 0o644 });
    await writeFileAtomic(folder.join("a"), "new", { mode: 0o600 });
    expect(await readMode(folder.join("a"))).toBe(0o600);
    await writeFileAtomic(folder.join("a"), "new", { mode: 0o644 });
    expect(await readMode(folder.join("a"))).toBe(0o600);
  });

  it("keeps owner and group of an existing file", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("a"), "old", { mode: 0o640 });
    await chown(folder.join("a"), 65534, 65533);
    await writeFileAtomic(folder.join("a"), "new");
    expect(await stat(folder.join("a"))).toMatchObject({ uid: 65534, gid: 65533, mode: 0o100640 });
  });

  it("writes through symbolic links, also to a file that does not exist yet", async () => {
    await using folder = await openFolder();
    await mkdir(folder.join("real"));
    await symlink("real/a", folder.join("link"));
    await symlink("link", folder.join("link2"));
    await writeFileAtomic(folder.join("link2"), "first");
    await writeFileAtomic(folder.join("link2"), "second");
    expect(await readFile(folder.join("real", "a"), "utf8")).toBe("second");
    expect(await readlink(folder.join("link2"))).toBe("link");
    expect(await readdir(folder.join("real"))).toEqual(["a"]);
  });

  it("refuses a folder, a missing folder and links in a circle, and leaves nothing", async () => {
    await using folder = await openFolder();
    await mkdir(folder.join("folder"));
    await symlink("circle", folder.join("circle"));
    for (const path of [folder.join("folder"), folder.join("no", "a"), folder.join("circle")])
      await expect(writeFileAtomic(path, "")).rejects.toMatchObject({
        code: "FILE_UNWRITABLE",
        data: { path },
      });
    expect(await readdir(folder.path)).toEqual(["circle", "folder"]);
  });

  it("takes a name as long as a file system does", async () => {
    await using folder = await openFolder();
    const name = "é".repeat(125);
    await writeFileAtomic(folder.join(name), "text");
    await updateFile(folder.join(name), (text) => `${text}!`);
    expect(await readFile(folder.join(name), "utf8")).toBe("text!");
  });

  it("deletes the temporary files of processes that ended, and no others", async () => {
    await using folder = await openFolder();
    const own = await createTemporaryPath(folder.join("a"));
    const ended = own.replace(`.${process.pid}-`, ".4194304-");
    const recycled = own.replace(/(\.\d+)-\d+-/, "$1-1-");
    const foreign = own.replace(/-[\da-f]{12}-(?=[\da-f]+\.tmp$)/, "-000000000000-");
    const other = folder.join(".a.notes.tmp");
    for (const file of [own, ended, recycled, foreign, other]) await writeFile(file, "");
    await writeFileAtomic(folder.join("a"), "");
    const left = (await readdir(folder.path)).map((name) => folder.join(name));
    expect(left.toSorted()).toEqual([own, foreign, other, folder.join("a")].toSorted());
  });
});
