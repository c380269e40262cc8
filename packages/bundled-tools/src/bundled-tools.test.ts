import { expect, it } from "vitest";
import { bundledTools, fileTools } from "./bundled-tools.js";

const options = Object.freeze({ root: "/" });

it("offers exactly these tools with these tags, hints and path arguments", () => {
  expect(bundledTools(options).map(({ listing }) => listing)).toEqual(
    ["list_files", "read_file"].map((name) =>
      expect.objectContaining({
        kind: "tool",
        name,
        tags: ["bundled", "local", "files"],
        checkpaths: ["path"],
        annotations: { readOnlyHint: true },
      }),
    ),
  );
});

const names = (tools: ReturnType<typeof bundledTools>): string[] =>
  tools.map(({ listing }) => listing.name);

it("has only file tools so far", () => {
  expect(names(bundledTools(options))).toEqual(names(fileTools(options)));
});

it("declares Klea's arguments with their defaults and limits", () => {
  const schemas = bundledTools(options).map(({ listing }) => listing.raw["inputSchema"]);
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
      error: "INVALID_ARGUMENTS",
      message: expect.stringContaining("maxDepth"),
    },
  });
});
