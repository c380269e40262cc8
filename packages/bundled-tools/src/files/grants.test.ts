import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { openFolder, type Folder } from "@postern/test-kit";
import { createCallContext, grantedMetaKey, type JsonObject, type JsonValue } from "@postern/tool";
import { expect, it } from "vitest";
import { bundledTools } from "../bundled-tools.js";

interface Bench extends Folder {
  /** Calls a tool that was granted real paths; resolves to its answer. */
  call(name: string, args: JsonObject, granted?: JsonValue): Promise<JsonObject>;
}

async function openBench(): Promise<Bench> {
  const folder = await openFolder();
  for (const each of ["root", "out", "out/sub"]) await mkdir(folder.join(each));
  for (const each of ["root/in", "out/a", "out/b", "out/sub/c"])
    await writeFile(folder.join(each), "key\n");
  const tools = bundledTools({ root: folder.join("root"), allowRoot: true });
  return {
    ...folder,
    async call(name, args, granted) {
      const tool = tools.find(({ listing }) => listing.name === name);
      const meta = granted === undefined ? {} : { [grantedMetaKey]: granted };
      const result = await tool?.run(args, createCallContext({ meta }));
      return (result as { structuredContent: JsonObject }).structuredContent;
    },
  };
}

const refused = { code: "PATH_OUTSIDE_ROOT" };

it.each([
  {
    tool: "read_file",
    args: { path: "../out/a" },
    granted: "out/a",
    wanted: { content: "1: key" },
  },
  { tool: "list_files", args: { path: "../out" }, granted: "out", wanted: { error: "" } },
  {
    tool: "grep",
    args: { pattern: "key", path: "../out/a" },
    granted: "out/a",
    wanted: { match_count: 1 },
  },
  {
    tool: "grep",
    args: { pattern: "key", path: "../out" },
    granted: "out",
    wanted: { match_count: 3 },
  },
  {
    tool: "find_files",
    args: { pattern: "**", path: "../out" },
    granted: "out",
    wanted: { error: "" },
  },
  {
    tool: "write_file",
    args: { path: "../out/new", content: "x" },
    granted: "out/new",
    wanted: { error: "" },
  },
  {
    tool: "write_file",
    args: { path: "../out/d/e/f", content: "x" },
    granted: "out/d/e/f",
    wanted: { error: "" },
  },
  {
    tool: "edit_file",
    args: { path: "../out/a", old_string: "key", new_string: "lock" },
    granted: "out/a",
    wanted: { error: "" },
  },
  {
    tool: "run_command",
    args: { command: "pwd", working_directory: "../out" },
    granted: "out",
    wanted: { returncode: 0 },
  },
])("$tool uses $args only when $granted was granted", async ({ tool, args, granted, wanted }) => {
  await using bench = await openBench();
  expect(await bench.call(tool, args)).toMatchObject(refused);
  expect(await bench.call(tool, args, [bench.join("out/sub")])).toMatchObject(refused);
  expect(await bench.call(tool, args, [bench.join(granted)])).toMatchObject(wanted);
  expect(await bench.call(tool, args)).toMatchObject(refused);
});

it("makes nothing beside a file that was granted", async () => {
  await using bench = await openBench();
  const granted = [bench.join("out/d/e")];
  const write = (path: string): Promise<JsonObject> =>
    bench.call("write_file", { path, content: "x" }, granted);
  expect(await write("../out/d/other")).toMatchObject(refused);
  expect(await write("../out/d")).toMatchObject(refused);
  expect(await write("../out/d/e")).toMatchObject({ error: "" });
  expect(await write("../out/a")).toMatchObject(refused);
  expect(await readFile(bench.join("out/a"), "utf8")).toBe("key\n");
});

it("follows a link to what was granted, and to nothing else", async () => {
  await using bench = await openBench();
  await symlink("../out/a", bench.join("root/link"));
  await symlink("../out/b", bench.join("root/other"));
  const granted = [bench.join("out/a")];
  expect(await bench.call("read_file", { path: "link" }, granted)).toMatchObject({ error: "" });
  expect(await bench.call("read_file", { path: "other" }, granted)).toMatchObject(refused);
});

it("grants to one call what it does not to another at the same time", async () => {
  await using bench = await openBench();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      bench.call(
        "read_file",
        { path: "../out/a" },
        at % 2 === 0 ? [bench.join("out/a")] : undefined,
      ),
    ),
  );
  expect(answers.map(({ code = "read" }) => code)).toEqual(
    Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? "read" : "PATH_OUTSIDE_ROOT")),
  );
});

it.each([["../out/a"], "text", null, { 0: "/" }, [7], [""], ["."]])(
  "takes %j for no grant",
  async (granted) => {
    await using bench = await openBench();
    expect(await bench.call("read_file", { path: "../out/a" }, granted)).toMatchObject(refused);
  },
);
