import { readFile, writeFile } from "node:fs/promises";
import { openFolder } from "@postern/test-kit";
import { isJsonObject, type JsonObject, type JsonValue } from "@postern/tool";
import { expect, it } from "vitest";
import { bundledTools } from "./bundled-tools.js";

/** Every object that a schema describes, wherever it stands. */
function findObjects(schema: JsonValue): readonly JsonObject[] {
  if (Array.isArray(schema)) return schema.flatMap(findObjects);
  if (!isJsonObject(schema)) return [];
  const below = Object.values(schema).flatMap((value) => findObjects(value ?? null));
  const { type } = schema;
  const isObject = type === "object" || (Array.isArray(type) && type.includes("object"));
  return isObject ? [schema, ...below] : below;
}

const schemas = bundledTools({ root: "/" }).map(({ listing }) => ({
  name: listing.name,
  schema: listing.raw["inputSchema"] ?? null,
}));

it.each(schemas)("takes no member that is not declared, at any depth of $name", ({ schema }) => {
  const objects = findObjects(schema);
  expect(objects.length).toBeGreaterThan(0);
  expect(objects.filter((each) => each["additionalProperties"] !== false)).toEqual([]);
});

// Where a model must write exactly what the schema says, an object without members can only be written empty.
it.each(schemas)("asks for no object of any shape in $name", ({ schema }) => {
  const freeForm = findObjects(schema).filter(
    ({ properties }) => !isJsonObject(properties) || Object.keys(properties).length === 0,
  );
  expect(freeForm).toEqual([]);
});

it("gets arguments whole, objects in a list included", async () => {
  await using folder = await openFolder();
  await writeFile(folder.join("f"), "a\nb\n");
  const tool = bundledTools({ root: folder.path, allowRoot: true }).find(
    ({ listing }) => listing.name === "edit_file",
  );
  const edits = [
    { old_string: "a", new_string: "c" },
    { old_string: "b", new_string: "d" },
  ];
  const result = await tool?.run({ path: "f", edits });
  expect(result?.structuredContent).toMatchObject({ replacements: 2, error: "" });
  expect(await readFile(folder.join("f"), "utf8")).toBe("c\nd\n");
});
