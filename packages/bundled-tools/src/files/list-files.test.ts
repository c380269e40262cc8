import { execFileSync } from "node:child_process";
import { mkdir, symlink, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { expect, it } from "vitest";
import { createCallContext, isJsonObject, type JsonObject } from "@postern/tool";
import { openFolder, type Folder } from "@postern/test-kit";
import { bundledTools } from "../bundled-tools.js";

async function list(folder: Folder, args: JsonObject = {}): Promise<JsonObject> {
  const [tool] = bundledTools({ root: folder.path, allowRoot: true });
  const result = await tool?.run(args);
  const answer = result?.structuredContent;
  return isJsonObject(answer) ? answer : {};
}

interface Listed {
  readonly path: string;
  readonly type: string;
}

const toFiles = (answer: JsonObject): readonly Listed[] =>
  answer["files"] as unknown as readonly Listed[];
const toPaths = (answer: JsonObject): readonly string[] => toFiles(answer).map(({ path }) => path);

async function fill(folder: Folder, ...files: readonly string[]): Promise<void> {
  for (const file of files) {
    await mkdir(folder.join(file, ".."), { recursive: true });
    await writeFile(folder.join(file), file);
  }
}

it("lists a directory, sorted, with type, time and size", async () => {
  await using folder = await openFolder();
  await fill(folder, "b.txt", "a/x", ".hidden");
  await utimes(folder.join("b.txt"), 1_000.5, 1_000.5);
  const answer = await list(folder);
  expect(answer).toEqual({
    files: [
      { path: ".hidden", type: "file", "modified time": expect.any(Number), size: 7 },
      {
        path: "a",
        type: "directory",
        "modified time": expect.any(Number),
        size: expect.any(Number),
      },
      { path: "b.txt", type: "file", "modified time": 1_000.5, size: 5 },
    ],
    truncated: false,
    note: "",
    error: "",
  });
});

it("gives paths that can be passed on, whatever directory was listed", async () => {
  await using folder = await openFolder();
  await fill(folder, "a/b/c");
  expect([
    toPaths(await list(folder, { path: "a" })),
    toPaths(await list(folder, { path: "./a//" })),
    toPaths(await list(folder, { path: folder.join("a") })),
  ]).toEqual([["a/b"], ["a/b"], [folder.join("a/b")]]);
});

it("lists what is below, each directory followed by its entries", async () => {
  await using folder = await openFolder();
  await fill(folder, "b/2", "a/z/1", "a/a", "a.txt");
  expect(toPaths(await list(folder, { recursive: true }))).toEqual([
    "a",
    "a/a",
    "a/z",
    "a/z/1",
    "a.txt",
    "b",
    "b/2",
  ]);
});

it("goes down as many levels as wanted", async () => {
  await using folder = await openFolder();
  await fill(folder, "a/b/c/d");
  const paths = (max_depth: number | null): Promise<readonly string[]> =>
    list(folder, { recursive: true, max_depth }).then(toPaths);
  expect([await paths(1), await paths(2), await paths(null)]).toEqual([
    ["a"],
    ["a", "a/b"],
    ["a", "a/b", "a/b/c", "a/b/c/d"],
  ]);
});

it("says that a depth counts only together with recursive", async () => {
  await using folder = await openFolder();
  await fill(folder, "a/b");
  expect(await list(folder, { max_depth: 2 })).toMatchObject({
    files: [{ path: "a" }],
    note: "max_depth counts only together with recursive.",
  });
});

it("filters by name, but still looks into directories that do not match", async () => {
  await using folder = await openFolder();
  await fill(folder, "src/a.ts", "src/b.js", "c.md");
  const args = { recursive: true, pattern: "*.ts *.md" };
  expect(toPaths(await list(folder, args))).toEqual(["c.md", "src/a.ts"]);
});

it("leaves out files or directories, never links", async () => {
  await using folder = await openFolder();
  await fill(folder, "a/x", "b");
  await symlink("a", folder.join("link-to-directory"));
  await symlink("b", folder.join("link-to-file"));
  const links = ["link-to-directory", "link-to-file"];
  expect([
    toPaths(await list(folder, { include_files: false })),
    toPaths(await list(folder, { include_directories: false })),
  ]).toEqual([
    ["a", ...links],
    ["b", ...links],
  ]);
});

it("lists links as links, dangling, looping or leading outside, and follows none", async () => {
  await using folder = await openFolder();
  await fill(folder, "a/x");
  await symlink("gone", folder.join("a/dangling"));
  await symlink("loop", folder.join("a/loop"));
  await symlink("..", folder.join("a/up"));
  await symlink("/etc", folder.join("a/etc"));
  const answer = await list(folder, { recursive: true });
  expect(answer).toMatchObject({ error: "", note: "" });
  expect(toFiles(answer).map(({ path, type }) => `${path} ${type}`)).toEqual([
    "a directory",
    "a/dangling link",
    "a/etc link",
    "a/loop link",
    "a/up link",
    "a/x file",
  ]);
});

it("lists FIFOs and sockets without touching them", async () => {
  await using folder = await openFolder();
  execFileSync("mkfifo", [folder.join("fifo")]);
  const server = createServer();
  await new Promise<void>((done) => server.listen(folder.join("socket"), done));
  const answer = await list(folder, { recursive: true });
  await new Promise((done) => server.close(done));
  expect(toFiles(answer).map(({ path, type }) => `${path} ${type}`)).toEqual([
    "fifo other",
    "socket other",
  ]);
});

it("lists a directory through a link that stays inside", async () => {
  await using folder = await openFolder();
  await fill(folder, "a/x");
  await symlink("a", folder.join("link"));
  expect(toPaths(await list(folder, { path: "link" }))).toEqual(["link/x"]);
});

it("cuts at the wanted number, in order, and says so with a boolean", async () => {
  await using folder = await openFolder();
  await fill(folder, "a/1", "a/2", "b/3", "c");
  const cut = (max_results: number): Promise<JsonObject> =>
    list(folder, { recursive: true, max_results });
  expect([await cut(5), await cut(6)]).toMatchObject([
    { truncated: true, files: ["a", "a/1", "a/2", "b", "b/3"].map((path) => ({ path })) },
    { truncated: false },
  ]);
});

it("is not cut when exactly the wanted number is there", async () => {
  await using folder = await openFolder();
  await fill(folder, "a", "b");
  expect(await list(folder, { max_results: 2 })).toMatchObject({ truncated: false });
});

it("lists everything and says so when the filter matches nothing", async () => {
  await using folder = await openFolder();
  await fill(folder, "a.md", "b.py");
  const answer = await list(folder, { pattern: "*.txt" });
  expect(toPaths(answer)).toEqual(["a.md", "b.py"]);
  expect(answer["note"]).toContain('Nothing matched the filter (pattern "*.txt"');
});

it("lists everything and says so when a kind that is not there is wanted", async () => {
  await using folder = await openFolder();
  await fill(folder, "a.md");
  const answer = await list(folder, { include_files: false });
  expect(toPaths(answer)).toEqual(["a.md"]);
  expect(answer["note"]).toContain("include_files false");
});

it("lists an empty directory as empty, without a note", async () => {
  await using folder = await openFolder();
  expect(await list(folder, { pattern: "*.txt" })).toEqual({
    files: [],
    truncated: false,
    note: "",
    error: "",
  });
});

it("names what it could not look at, and lists the rest", async () => {
  await using folder = await openFolder();
  await fill(folder, "a");
  const name = Buffer.concat([Buffer.from(`${folder.path}/bad-`), Buffer.from([0xff])]);
  await writeFile(name, "a name that is not UTF-8");
  const answer = await list(folder);
  expect(toPaths(answer)).toEqual(["a"]);
  expect(answer["note"]).toMatch(/^Could not be looked into: "bad-.*"\.$/u);
});

it.each([
  { path: "missing", code: "PATH_NOT_FOUND" },
  { path: "file", code: "NOT_A_DIRECTORY" },
  { path: "file/x", code: "PATH_NOT_FOUND" },
  { path: "../..", code: "PATH_OUTSIDE_ROOT" },
  { path: "out", code: "PATH_OUTSIDE_ROOT" },
  { path: "loop", code: "NOT_A_FILE" },
  { path: "fifo", code: "NOT_A_DIRECTORY" },
  { path: "a\0b", code: "INVALID_PATH" },
])("refuses $path with $code", async ({ path, code }) => {
  await using folder = await openFolder();
  await fill(folder, "file");
  await symlink("/etc", folder.join("out"));
  await symlink("loop", folder.join("loop"));
  execFileSync("mkfifo", [folder.join("fifo")]);
  expect(await list(folder, { path })).toMatchObject({
    files: [],
    truncated: false,
    note: "",
    code,
    error: expect.stringMatching(/./),
  });
});

it("takes a null for not given", async () => {
  await using folder = await openFolder();
  await fill(folder, "a");
  const args = { path: null, pattern: null, recursive: null, max_results: null, max_depth: null };
  expect(toPaths(await list(folder, args))).toEqual(["a"]);
});

it("stops when the call is cancelled", async () => {
  await using folder = await openFolder();
  await fill(folder, "a/b");
  const [tool] = bundledTools({ root: folder.path, allowRoot: true });
  const context = createCallContext({ signal: AbortSignal.abort() });
  expect(await tool?.run({ recursive: true }, context)).toMatchObject({
    isError: true,
    structuredContent: { code: "CANCELLED" },
  });
});

it("looks at no more entries of a large directory than are wanted", async () => {
  await using folder = await openFolder();
  execFileSync("sh", ["-c", "seq -w 1 600 | xargs touch"], { cwd: folder.path });
  const answer = await list(folder, { recursive: true, max_results: 300 });
  expect(toFiles(answer).at(-1)).toMatchObject({ path: "300", type: "file" });
  expect(answer["truncated"]).toBe(true);
});
