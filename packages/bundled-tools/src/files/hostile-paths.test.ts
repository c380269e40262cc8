import { execFileSync } from "node:child_process";
import { mkdir, open, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { isJsonObject, type JsonObject } from "@postern/tool";
import { openFolder } from "@postern/test-kit";
import { bundledTools } from "../bundled-tools.js";

async function run(root: string, name: string, args: JsonObject): Promise<JsonObject> {
  const tool = bundledTools({ root, allowRoot: true }).find(({ listing }) => listing.name === name);
  const answer = (await tool?.run(args))?.structuredContent;
  return isJsonObject(answer) ? answer : {};
}

it.each([
  ["deep and missing", "a/".repeat(2_000)],
  ["too long for the system", "a/".repeat(500_000)],
  ["one name too long", "a".repeat(1_000_000)],
])("answers at once for a path that is %s", { timeout: 8_000 }, async (_what, path) => {
  await using folder = await openFolder();
  const began = performance.now();
  for (const tool of ["read_file", "list_files"]) {
    const answer = await run(folder.path, tool, { path });
    expect(answer["code"]).toMatch(/^(PATH_NOT_FOUND|INVALID_PATH)$/);
  }
  expect(performance.now() - began).toBeLessThan(3_000);
});

it.each([
  "/proc/self/root/etc/passwd",
  "/proc/self/cwd/../../../../../../etc/passwd",
  "/proc/thread-self/root/etc/passwd",
  "/dev/stdin",
  "/dev/fd/0",
  "/dev/zero",
  "/etc/passwd",
  "../../../../../../../../etc/passwd",
  "./x/../../../../../../../../etc/passwd",
  "file:///etc/passwd",
  "~/.bashrc",
  "..\\..\\etc\\passwd",
  "．．/etc/passwd",
])("gives nothing of %s", async (path) => {
  await using folder = await openFolder();
  for (const tool of ["read_file", "list_files"]) {
    const answer = await run(folder.path, tool, { path });
    expect(answer["code"]).toMatch(/^(PATH_NOT_FOUND|PATH_OUTSIDE_ROOT)$/);
    expect(JSON.stringify(answer)).not.toContain("root:");
  }
});

it("waits for no writer of a named pipe", async () => {
  await using folder = await openFolder();
  execFileSync("mkfifo", [folder.join("pipe")]);
  expect(await run(folder.path, "read_file", { path: "pipe" })).toMatchObject({
    code: "NOT_A_FILE",
  });
});

it("reads the beginning of a file of 100 GB that is mostly a hole", async () => {
  await using folder = await openFolder();
  const file = await open(folder.join("sparse"), "w");
  await file.write("line\n".repeat(30_000));
  await file.truncate(100 * 1024 ** 3);
  await file.close();
  expect(await run(folder.path, "read_file", { path: "sparse", limit: 2 })).toMatchObject({
    content: "1: line\n2: line",
    error: "",
  });
  expect(await run(folder.path, "read_file", { path: "sparse", offset: 40_000 })).toMatchObject({
    code: "BINARY_FILE",
  });
});

it("lists names with line breaks and terminal codes as they are, in JSON", async () => {
  await using folder = await openFolder();
  const name = "a\n\u001b[2Jb";
  await writeFile(folder.join(name), "x");
  const { files } = await run(folder.path, "list_files", {});
  expect(files).toMatchObject([{ path: name, type: "file" }]);
});

it("answers with a code when the root was removed, and when another was put in its place", async () => {
  await using folder = await openFolder();
  const root = folder.join("root");
  await mkdir(root);
  await writeFile(`${root}/x`, "first");
  const tools = bundledTools({ root, allowRoot: true });
  const read = tools.find(({ listing }) => listing.name === "read_file");
  expect(JSON.stringify(await read?.run({ path: "x" }))).toContain("first");
  await rm(root, { recursive: true });
  expect(JSON.stringify(await read?.run({ path: "x" }))).toContain("PATH_NOT_FOUND");
  await symlink("/etc", root);
  expect(JSON.stringify(await read?.run({ path: "passwd" }))).toContain("PATH_OUTSIDE_ROOT");
  expect(await readFile("/etc/passwd", "utf8")).not.toBe("");
});

it("contains nothing and everything where the root is the system's", async () => {
  expect(await run("/", "read_file", { path: "/proc/self/root/etc/hostname" })).toMatchObject({
    error: "",
  });
  expect((await run("/", "list_files", { path: "/proc/self/fd" }))["error"]).toBe("");
});
