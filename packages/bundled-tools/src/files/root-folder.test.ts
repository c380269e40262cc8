import { link, mkdir, symlink, writeFile } from "node:fs/promises";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isPosternError } from "@postern/errors";
import { openFolder, type Folder } from "@postern/test-kit";
import { isDescriptorPathKnown, openByDescriptor } from "./open-by-descriptor.js";
import { openByPath } from "./open-by-path.js";
import { createRootFolder, type RootFolder } from "./root-folder.js";

/** A root folder with one file, next to a folder that must stay closed. */
async function openRoot(): Promise<Folder & { readonly root: string; readonly outside: string }> {
  const folder = await openFolder();
  await mkdir(folder.join("root", "sub"), { recursive: true });
  await mkdir(folder.join("root-sibling"));
  await writeFile(folder.join("root", "sub", "in.txt"), "inside");
  await writeFile(folder.join("root-sibling", "out.txt"), "outside");
  return { ...folder, root: folder.join("root"), outside: folder.join("root-sibling") };
}

async function read(root: RootFolder, path: string): Promise<string> {
  await using place = await root.openPlace(path);
  const file = await place.openContent();
  try {
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

/** The content, or the code of the refusal. */
async function tryRead(root: RootFolder, path: string): Promise<string> {
  return read(root, path).catch((error: unknown) =>
    isPosternError(error) ? error.code : "not ours",
  );
}

const openers = { openByDescriptor, openByPath };

describe.each(Object.entries(openers))("%s", (_, opener) => {
  it("opens a file by a relative and by an absolute path", async () => {
    await using folder = await openRoot();
    const root = createRootFolder(folder.root, opener);
    const paths = ["sub/in.txt", "./sub/../sub/in.txt", join(folder.root, "sub/in.txt")];
    expect(await Promise.all(paths.map((path) => read(root, path)))).toEqual(
      paths.map(() => "inside"),
    );
  });

  it("opens a file by a root that is a link, and by the link's and the real path", async () => {
    await using folder = await openRoot();
    await symlink(folder.root, folder.join("alias"));
    const root = createRootFolder(folder.join("alias"), opener);
    const paths = ["sub/in.txt", folder.join("alias/sub/in.txt"), join(folder.root, "sub/in.txt")];
    expect(await Promise.all(paths.map((path) => read(root, path)))).toEqual(
      paths.map(() => "inside"),
    );
  });

  it("stays in the folder that a root link led to at its first use", async () => {
    await using folder = await openRoot();
    await symlink(folder.root, folder.join("alias"));
    const root = createRootFolder(folder.join("alias"), opener);
    await read(root, "sub/in.txt");
    execFileSync("ln", ["-sfn", folder.outside, folder.join("alias")]);
    expect(await tryRead(root, "out.txt")).toBe("PATH_NOT_FOUND");
  });

  it("follows links that stay inside", async () => {
    await using folder = await openRoot();
    await symlink("sub", join(folder.root, "relative"));
    await symlink(join(folder.root, "sub", "in.txt"), join(folder.root, "absolute"));
    const root = createRootFolder(folder.root, opener);
    expect([await read(root, "relative/in.txt"), await read(root, "absolute")]).toEqual([
      "inside",
      "inside",
    ]);
  });

  it("refuses every way out alike, whether something is there or not", async () => {
    await using folder = await openRoot();
    const { root: path, outside } = folder;
    await symlink(outside, join(path, "folder-link"));
    await symlink(join(outside, "out.txt"), join(path, "file-link"));
    await symlink("../root-sibling/missing", join(path, "dangling"));
    await symlink("folder-link", join(path, "link-to-link"));
    const root = createRootFolder(path, opener);
    const paths = [
      "..",
      "/",
      "../../../../../../etc/passwd",
      "/etc/passwd",
      "/etc/no-such-file",
      "sub/../../root-sibling/out.txt",
      "../root-sibling/out.txt",
      join(outside, "out.txt"),
      "folder-link",
      "folder-link/out.txt",
      "folder-link/missing",
      "link-to-link/out.txt",
      "file-link",
      "dangling",
      "dangling/below",
    ];
    const found = await Promise.all(paths.map((each) => tryRead(root, each)));
    expect(Object.fromEntries(paths.map((each, index) => [each, found[index]]))).toEqual(
      Object.fromEntries(paths.map((each) => [each, "PATH_OUTSIDE_ROOT"])),
    );
  });

  it("names the path as it was given, never where it leads", async () => {
    await using folder = await openRoot();
    await symlink(join(folder.outside, "out.txt"), join(folder.root, "file-link"));
    const root = createRootFolder(folder.root, opener);
    const error: unknown = await root.openPlace("file-link").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      message: expect.stringContaining('"file-link"'),
      data: { path: "file-link" },
    });
    expect(JSON.stringify(error)).not.toContain("sibling");
  });

  it("tells what is wrong inside", async () => {
    await using folder = await openRoot();
    await symlink("loop", join(folder.root, "loop"));
    const root = createRootFolder(folder.root, opener);
    const paths = ["missing", "sub/in.txt/below", "loop", "a\0b", "n".repeat(300)];
    expect(await Promise.all(paths.map((path) => tryRead(root, path)))).toEqual([
      "PATH_NOT_FOUND",
      "PATH_NOT_FOUND",
      "NOT_A_FILE",
      "INVALID_PATH",
      "INVALID_PATH",
    ]);
  });

  it("says so when the root folder is missing", async () => {
    await using folder = await openFolder();
    const root = createRootFolder(folder.join("missing"), opener);
    expect(await tryRead(root, "a")).toBe("ROOT_FOLDER_UNAVAILABLE");
  });

  it("serves the whole file system when that is the root", async () => {
    await using folder = await openRoot();
    expect(await read(createRootFolder("/", opener), join(folder.root, "sub/in.txt"))).toBe(
      "inside",
    );
  });

  it("refuses to go down into a directory that became a link", async () => {
    await using folder = await openRoot();
    const root = createRootFolder(folder.root, opener);
    await symlink(folder.outside, join(folder.root, "swapped"));
    await expect(root.openBelow(join(folder.root, "swapped"))).rejects.toMatchObject({
      code: "PATH_CHANGED",
    });
  });

  it("looks at a FIFO without waiting for a writer", async () => {
    await using folder = await openRoot();
    execFileSync("mkfifo", [join(folder.root, "fifo")]);
    await using place = await createRootFolder(folder.root, opener).openPlace("fifo");
    expect([place.stats.isFIFO(), place.stats.isFile()]).toEqual([true, false]);
  });

  it("opens a hard link: it is the file, wherever its other name is", async () => {
    await using folder = await openRoot();
    await link(join(folder.outside, "out.txt"), join(folder.root, "hard"));
    expect(await read(createRootFolder(folder.root, opener), "hard")).toBe("outside");
  });
});

it("notices that a file was replaced between looking and opening, where descriptors have no path", async () => {
  await using folder = await openRoot();
  await using place = await openByPath(join(folder.root, "sub/in.txt"), () => undefined);
  execFileSync("ln", ["-sfn", join(folder.outside, "out.txt"), join(folder.root, "sub/in.txt")]);
  await expect(place.openContent()).rejects.toMatchObject({ code: "ELOOP" });
  execFileSync("mv", [join(folder.outside, "out.txt"), place.realPath]);
  await expect(place.openContent()).rejects.toMatchObject({ code: "PATH_CHANGED" });
});

it("notices that a directory was replaced before its listing is used, where descriptors have no path", async () => {
  await using folder = await openRoot();
  await using place = await openByPath(join(folder.root, "sub"), () => undefined);
  execFileSync("mv", [join(folder.root, "sub"), join(folder.root, "moved")]);
  execFileSync("ln", ["-sfn", folder.outside, join(folder.root, "sub")]);
  expect((await place.readEntries()).map(({ name }) => name)).toEqual(["out.txt"]);
  await expect(place.confirm()).rejects.toMatchObject({ code: "PATH_CHANGED" });
});

it("reads what was checked when the name is swapped after opening", async () => {
  await using folder = await openRoot();
  await using place = await openByDescriptor(join(folder.root, "sub"), () => undefined);
  execFileSync("mv", [join(folder.root, "sub"), join(folder.root, "moved")]);
  execFileSync("ln", ["-sfn", folder.outside, join(folder.root, "sub")]);
  expect((await place.readEntries()).map(({ name }) => name)).toEqual(["in.txt"]);
});

it("decides by the descriptor on Linux", () => {
  expect(isDescriptorPathKnown()).toBe(process.platform === "linux");
});
