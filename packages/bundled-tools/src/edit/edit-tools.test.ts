import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  stat,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { openFolder, type Folder } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "@postern/tool";
import { createRootFolder } from "../files/root-folder.js";
import { editFileTool } from "./edit-file.js";
import { createPathQueue } from "./path-queue.js";
import { writeFileTool } from "./write-file.js";

interface Tools {
  write(args: JsonObject): Promise<JsonObject>;
  edit(args: JsonObject): Promise<JsonObject>;
}

function openTools(folder: Folder): Tools {
  const around = {
    root: createRootFolder(folder.path),
    env: () => undefined,
    guard: { isRoot: () => false, allowRoot: () => false },
    queue: createPathQueue(),
  };
  const [write, edit] = [writeFileTool(around), editFileTool(around)];
  return {
    write: async (args) => (await write.run(args)).structuredContent as JsonObject,
    edit: async (args) => (await edit.run(args)).structuredContent as JsonObject,
  };
}

const text = (folder: Folder, name: string): Promise<string> => readFile(folder.join(name), "utf8");

describe("write_file", () => {
  it("makes a file and the directories above it", async () => {
    await using folder = await openFolder();
    expect(await openTools(folder).write({ path: "a/b/c.txt", content: "x\ny\n" })).toEqual({
      path: "a/b/c.txt",
      created: true,
      bytes_written: 4,
      additions: 2,
      deletions: 0,
      diff: "--- a/b/c.txt\n+++ a/b/c.txt\n@@ -0,0 +1,2 @@\n+x\n+y",
      error: "",
    });
    expect(await text(folder, "a/b/c.txt")).toBe("x\ny\n");
  });

  it("keeps mode, byte order mark and line endings of the file it replaces, and leaves nothing beside it", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("f"), "\ufeffa\r\nb\r\n");
    await chmod(folder.join("f"), 0o640);
    const answer = await openTools(folder).write({ path: "f", content: "a\nc\n" });
    expect(answer).toMatchObject({ created: false, bytes_written: 9, additions: 1, deletions: 1 });
    expect(await text(folder, "f")).toBe("\ufeffa\r\nc\r\n");
    expect((await stat(folder.join("f"))).mode & 0o777).toBe(0o640);
    expect(await readdir(folder.path)).toEqual(["f"]);
  });

  it("writes through a link inside the root, which stays a link", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("real"), "old\n");
    await symlink("real", folder.join("link"));
    expect(await openTools(folder).write({ path: "link", content: "new\n" })).toMatchObject({
      error: "",
    });
    expect((await lstat(folder.join("link"))).isSymbolicLink()).toBe(true);
    expect(await text(folder, "real")).toBe("new\n");
  });

  it.each([
    { what: "outside", path: "../x", code: "PATH_OUTSIDE_ROOT" },
    { what: "through a link to outside", path: "out/x", code: "PATH_OUTSIDE_ROOT" },
    { what: "a directory", path: "folder", code: "NOT_A_FILE" },
    { what: "a link that leads nowhere", path: "dangling", code: "NOT_A_FILE" },
    { what: "below a file", path: "binary/x", code: "NOT_A_DIRECTORY" },
    { what: "a binary file", path: "binary", code: "BINARY_FILE" },
    { what: "a name with NUL", path: "a\0b", code: "INVALID_PATH" },
    { what: "too long a name", path: "n".repeat(300), code: "INVALID_PATH" },
  ])("refuses $what", async ({ path, code }) => {
    await using outer = await openFolder();
    await mkdir(outer.join("root/folder"), { recursive: true });
    await mkdir(outer.join("outside"));
    await symlink("../outside", outer.join("root/out"));
    await symlink("nowhere", outer.join("root/dangling"));
    await writeFile(outer.join("root/binary"), "a\0b");
    const root = { ...outer, path: outer.join("root") } as Folder;
    expect(await openTools(root).write({ path, content: "x" })).toMatchObject({ code });
    expect(await readdir(outer.join("outside"))).toEqual([]);
    expect((await readdir(outer.path)).toSorted()).toEqual(["outside", "root"]);
  });

  it("refuses half a character", async () => {
    await using folder = await openFolder();
    expect(await openTools(folder).write({ path: "f", content: "\ud800" })).toMatchObject({
      code: "INVALID_TEXT",
    });
    expect(await readdir(folder.path)).toEqual([]);
  });
});

describe("edit_file", () => {
  it("answers with the places, the matcher and the diff", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("f"), "a\nb\n");
    expect(await openTools(folder).edit({ path: "f", old_string: "b", new_string: "c" })).toEqual({
      path: "f",
      replacements: 1,
      additions: 1,
      deletions: 1,
      matcher: "exact",
      diff: "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n+c",
      note: "",
      nearby: [],
      error: "",
    });
  });

  it("leaves the file untouched, and names no matcher, when it refuses", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("f"), "  foo()\nfoo()\n");
    const before = await stat(folder.join("f"));
    const answer = await openTools(folder).edit({
      path: "f",
      old_string: "foo()",
      new_string: "x",
    });
    expect(answer).toMatchObject({
      code: "EDIT_AMBIGUOUS",
      matcher: "",
      error: expect.stringContaining("lines 1, 2"),
    });
    expect((await stat(folder.join("f"))).mtimeMs).toBe(before.mtimeMs);
  });

  it("keeps links, mode, mark and endings", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("real"), "\ufeffa\r\nb\nc\r\n");
    await chmod(folder.join("real"), 0o755);
    await symlink("real", folder.join("link"));
    await openTools(folder).edit({ path: "link", old_string: "b", new_string: "x\ny" });
    expect(await text(folder, "real")).toBe("\ufeffa\r\nx\r\ny\nc\r\n");
    expect((await lstat(folder.join("link"))).isSymbolicLink()).toBe(true);
    expect((await stat(folder.join("real"))).mode & 0o777).toBe(0o755);
  });

  it("does two edits of one file that come at once in turn, and loses none", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("f"), Array.from({ length: 20 }, (_, i) => `<${i}>\n`).join(""));
    const tools = openTools(folder);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        tools.edit({ path: i % 2 ? "f" : "./f", old_string: `<${i}>`, new_string: `[${i}]` }),
      ),
    );
    expect(answers.map(({ error }) => error)).toEqual(answers.map(() => ""));
    expect(await text(folder, "f")).toBe(Array.from({ length: 20 }, (_, i) => `[${i}]\n`).join(""));
  });

  it("names what is nearby for a missing file, and makes nothing", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("real.ts"), "");
    expect(
      await openTools(folder).edit({ path: "new/rael.ts", old_string: "a", new_string: "b" }),
    ).toMatchObject({
      code: "PATH_NOT_FOUND",
      nearby: ["real.ts"],
      note: expect.stringContaining("holds"),
    });
    expect(await readdir(folder.path)).toEqual(["real.ts"]);
  });

  it.each([
    { args: {}, code: "EDIT_INCOMPLETE" },
    { args: { old_string: "a" }, code: "EDIT_INCOMPLETE" },
    {
      args: { old_string: "a", new_string: "b", edits: [{ old_string: "a", new_string: "b" }] },
      code: "EDIT_INCOMPLETE",
    },
    { args: { old_string: "a", new_string: "\udfff" }, code: "INVALID_TEXT" },
    { args: { old_string: "", new_string: "b" }, code: "EDIT_EMPTY_OLD" },
    { args: { old_string: "a", new_string: "a" }, code: "EDIT_WITHOUT_CHANGE" },
  ])("refuses $args", async ({ args, code }) => {
    await using folder = await openFolder();
    await writeFile(folder.join("f"), "a\n");
    expect(await openTools(folder).edit({ path: "f", ...args })).toMatchObject({ code });
  });

  it("edits no file of more than 100 MiB", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("f"), "");
    await truncate(folder.join("f"), 100 * 1024 * 1024 + 1);
    const edit = { path: "f", old_string: "a", new_string: "b" };
    expect(await openTools(folder).edit(edit)).toMatchObject({ code: "FILE_TOO_LARGE" });
  });
});
