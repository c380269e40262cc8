import { mkdir, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { isJsonObject, type JsonObject } from "@postern/tool";
import { openFolder } from "@postern/test-kit";
import { expect, it } from "vitest";
import { fileTools } from "../bundled-tools.js";
import { toPath } from "./to-path.js";

async function run(root: string, name: string, args: JsonObject): Promise<JsonObject> {
  const tool = fileTools({ root, allowRoot: true }).find(({ listing }) => listing.name === name);
  const answer = (await tool?.run(args))?.structuredContent;
  return isJsonObject(answer) ? answer : {};
}

const outside = [
  "file:/etc/passwd",
  "file:///etc/passwd",
  "FILE:///etc/passwd",
  "file://localhost/etc/passwd",
  "file:///etc/p%61sswd",
  "file:///x/../etc/passwd",
  "file:///x/%2e%2e/etc/passwd",
  "file:\\\\\\etc\\passwd",
];

it.each(outside)("takes %s as the path that it stands for, and refuses it", async (path) => {
  await using folder = await openFolder();
  const calls: readonly (readonly [string, JsonObject])[] = [
    ["read_file", { path }],
    ["list_files", { path }],
    ["write_file", { path, content: "x" }],
  ];
  for (const [name, args] of calls)
    expect(await run(folder.path, name, args)).toMatchObject({ code: "PATH_OUTSIDE_ROOT" });
});

it.each(["https://x/etc/passwd", "http://x/../../../etc/passwd", "ftp://x/y"])(
  "takes %s for no path, and says what to use",
  async (path) => {
    await using folder = await openFolder();
    for (const name of ["read_file", "list_files"])
      expect(await run(folder.path, name, { path })).toMatchObject({
        code: "INVALID_PATH",
        error: expect.stringContaining("Use the web fetching tool"),
      });
  },
);

it.each(["file://elsewhere/etc/passwd", "file:///a%2fb", "file:///%zz"])(
  "refuses %s, which leads to no path here",
  async (path) => {
    await using folder = await openFolder();
    expect(await run(folder.path, "read_file", { path })).toMatchObject({ code: "INVALID_PATH" });
  },
);

it("refuses a NUL that a URL hides", async () => {
  await using folder = await openFolder();
  const path = `${pathToFileURL(folder.path).href}/a%00b`;
  expect(await run(folder.path, "read_file", { path })).toMatchObject({
    code: "INVALID_PATH",
    error: expect.stringContaining("NUL"),
  });
});

it("reads and lists through a file: URL that stays inside, and lists paths that can be passed on", async () => {
  await using folder = await openFolder();
  await mkdir(folder.join("100% a"));
  await writeFile(folder.join("100% a/b%20c.txt"), "text");
  const url = pathToFileURL(folder.join("100% a")).href;
  expect(await run(folder.path, "read_file", { path: `${url}/b%2520c.txt` })).toMatchObject({
    content: "1: text",
  });
  const { files } = await run(folder.path, "list_files", { path: url });
  expect(files).toMatchObject([{ path: folder.join("100% a/b%20c.txt") }]);
});

it.each(["file:x", "file:", "a/file:///b", "./https://x", "c:/x", "~/x", "", "//x/y"])(
  "leaves the path %j as it is",
  (path) => {
    expect(toPath(path)).toBe(path);
  },
);
