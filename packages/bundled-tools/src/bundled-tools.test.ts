import { expect, it } from "vitest";
import { byTags } from "@postern/policy";
import { toolSet } from "@postern/tool";
import { bundledTools, commandTools, fileTools, searchTools, webTools } from "./bundled-tools.js";

const options = Object.freeze({ root: "/" });

/** What the specification says of each tool. */
const specified = [
  ["list_files", ["local", "files"], ["path"], { readOnlyHint: true }],
  ["read_file", ["local", "files"], ["path"], { readOnlyHint: true }],
  ["write_file", ["local", "files"], ["path"], { destructiveHint: true }],
  ["edit_file", ["local", "files"], ["path"], { destructiveHint: true }],
  ["find_files", ["local", "files"], ["path"], { readOnlyHint: true }],
  ["grep", ["local", "files"], ["path"], { readOnlyHint: true }],
  [
    "run_command",
    ["local", "code"],
    ["working_directory"],
    { destructiveHint: true, openWorldHint: true },
  ],
  ["web_fetch", ["web"], [], { readOnlyHint: true }],
  [
    "download_file",
    ["web", "download"],
    ["file_path"],
    { destructiveHint: true, openWorldHint: true },
  ],
  ["web_search", ["web", "search"], [], { readOnlyHint: true, openWorldHint: true }],
  ["search_papers", ["web"], [], { readOnlyHint: true, openWorldHint: true }],
] as const;

it("offers exactly these tools with these tags, hints and path arguments", () => {
  expect(
    bundledTools(options).map(({ listing: { name, tags, checkpaths, annotations } }) => [
      name,
      tags,
      checkpaths,
      annotations,
    ]),
  ).toEqual(
    specified.map(([name, tags, checkpaths, annotations]) => [
      name,
      ["bundled", ...tags],
      checkpaths,
      annotations,
    ]),
  );
});

const names = (tools: ReturnType<typeof bundledTools>): string[] =>
  tools.map(({ listing }) => listing.name);

it("offers them by what they are for", () => {
  expect(
    [fileTools, searchTools, commandTools, webTools].map((make) => names(make(options))),
  ).toEqual([
    ["list_files", "read_file", "write_file", "edit_file"],
    ["find_files", "grep"],
    ["run_command"],
    ["web_fetch", "download_file", "web_search", "search_papers"],
  ]);
});

it("exposes exactly these tools for a tag", async () => {
  const tools = toolSet(bundledTools(options));
  const exposed = async (tag: string) =>
    (await tools.restrict(byTags({ include: [tag] })).list()).map(({ name }) => name).toSorted();
  expect(await exposed("web")).toEqual([
    "download_file",
    "search_papers",
    "web_fetch",
    "web_search",
  ]);
  expect(await exposed("download")).toEqual(["download_file"]);
  expect(await exposed("bundled")).toHaveLength(11);
});

it("has an output schema and a description for every tool", () => {
  const lacking = bundledTools(options).filter(
    ({ listing: { raw } }) => raw["outputSchema"] === undefined || raw["description"] === "",
  );
  expect(names(lacking)).toEqual([]);
});

it("declares Klea's arguments with their defaults and limits", () => {
  const schemas = bundledTools(options)
    .slice(0, 2)
    .map(({ listing }) => listing.raw["inputSchema"]);
  expect(schemas).toMatchObject([
    {
      additionalProperties: false,
      properties: {
        path: { type: "string", default: ".", minLength: 1 },
        max_depth: { anyOf: [{ type: "integer" }, { type: "null" }], default: null },
        pattern: { type: "string", default: "*" },
        include_files: { type: "boolean", default: true },
        include_directories: { type: "boolean", default: true },
        recursive: { type: "boolean", default: false },
        max_results: { type: "integer", default: 100, minimum: 1, maximum: 10_000 },
      },
    },
    {
      additionalProperties: false,
      properties: {
        path: { type: "string", default: ".", minLength: 1 },
        offset: { type: "integer", default: 1, minimum: 1 },
        char_offset: { type: "integer", default: 0, minimum: 0 },
        limit: { anyOf: [{ type: "integer", minimum: 1 }, { type: "null" }], default: 500 },
        line_numbers: { type: "boolean", default: true },
      },
    },
  ]);
  expect(schemas.map((schema) => (schema as { required?: unknown }).required)).toEqual([
    undefined,
    undefined,
  ]);
});

it("tells a model in at most 1,100 characters what each tool is for", () => {
  const lengths = bundledTools(options).map(
    ({ listing }) => JSON.stringify(listing.raw["description"]).length,
  );
  expect(Math.max(...lengths)).toBeLessThanOrEqual(1_100);
});

it("names an argument that it does not know", async () => {
  const [listFiles] = bundledTools({ ...options, allowRoot: true });
  expect(await listFiles?.run({ maxDepth: 3 })).toMatchObject({
    isError: true,
    structuredContent: {
      code: "INVALID_ARGUMENTS",
      error: expect.stringContaining("maxDepth"),
    },
  });
});
