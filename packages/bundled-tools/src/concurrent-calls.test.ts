import { writeFile } from "node:fs/promises";
import { byName } from "@postern/policy";
import { openFolder } from "@postern/test-kit";
import { createCallContext, toolSet, type JsonObject, type ToolSet } from "@postern/tool";
import { expect, it } from "vitest";
import { z } from "zod";
import { bundledTools } from "./bundled-tools.js";
import { defineBundledTool } from "./define-bundled-tool.js";

const context = createCallContext();

/** Makes calls at once; what each of them came to, in the order of the calls. */
async function callAll(
  tools: ToolSet,
  calls: readonly (readonly [string, JsonObject])[],
): Promise<readonly unknown[]> {
  const outcomes = await Promise.all(
    calls.map(([name, args]) => tools.call({ name, arguments: args, context })),
  );
  return outcomes.map(({ isError, structuredContent }) => [isError ?? false, structuredContent]);
}

it("answers calls that come at once in their order, the refused one as well", async () => {
  await using folder = await openFolder();
  await writeFile(folder.join("f"), "text");
  const rule = byName({ deny: ["write_file"] });
  const tools = toolSet(bundledTools({ root: folder.path, allowRoot: true })).restrict(rule);
  expect(
    await callAll(tools, [
      ["write_file", { path: "f", content: "x" }],
      ["list_files", {}],
      ["read_file", { path: "f" }],
    ]),
  ).toMatchObject([
    [true, { error: "UNKNOWN_TOOL" }],
    [false, { files: [{ path: "f" }] }],
    [false, { content: "1: text" }],
  ]);
});

it("answers the others when one call throws", async () => {
  await using folder = await openFolder();
  const broken = defineBundledTool(
    {
      name: "broken",
      title: "Broken",
      description: "Throws.",
      input: z.strictObject({}),
      output: z.strictObject({}),
      empty: {},
      tags: [],
      annotations: {},
      run: () => Promise.reject(new TypeError("oops")),
    },
    { isRoot: () => false, allowRoot: () => false },
  );
  const tools = toolSet([...bundledTools({ root: folder.path, allowRoot: true }), broken]);
  expect(
    await callAll(tools, [
      ["list_files", {}],
      ["broken", {}],
      ["find_files", {}],
    ]),
  ).toMatchObject([
    [false, { files: [] }],
    [true, { code: "INTERNAL_ERROR" }],
    [false, { files: [] }],
  ]);
});
