import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { z } from "zod";
import { describeMembers } from "../fixtures/tools-page/describe-schema.js";
import { toToolsPage } from "../fixtures/tools-page/render-tools-page.js";
import { findAnswer } from "../fixtures/tools-page/run-example.js";
import { toolNotes } from "../fixtures/tool-notes.js";
import { bundledTools } from "./bundled-tools.js";

const page = await readFile(new URL("../../../docs/tools.md", import.meta.url), "utf8");
const listings = bundledTools({ root: "/" }).map(({ listing }) => listing);

/** The formatter aligns tables and breaks JSON as it likes, so space and the lines of tables do not count. */
const toWords = (text: string): string => text.replace(/\s+/g, "").replace(/-{3,}/g, "---");

it("is what the tools say of themselves; else run node tooling/checks/sync.mjs", async () => {
  expect(toWords(page)).toBe(toWords(await toToolsPage()));
});

it("has a note with limits and an example for every tool, and for no other", () => {
  const noted = Object.entries(toolNotes).filter(([, { limits }]) => limits.length > 0);
  expect(noted.map(([name]) => name).toSorted()).toEqual(
    listings.map(({ name }) => name).toSorted(),
  );
});

it.each(listings.map((listing) => ({ name: listing.name, listing })))(
  "shows an example of $name that fits its schemas and succeeds",
  async ({ name, listing: { raw } }) => {
    const example = toolNotes[name]?.example ?? { arguments: {} };
    const answer = await findAnswer(name, example);
    const fits = (key: string, value: unknown): boolean =>
      z.fromJSONSchema(raw[key] as never).safeParse(value).success;
    expect({
      input: fits("inputSchema", example.arguments),
      output: fits("outputSchema", answer),
      error: answer["error"],
    }).toEqual({ input: true, output: true, error: "" });
  },
);

it("reads nested members, bounds, forms and presets out of a schema", () => {
  const schema = z.toJSONSchema(
    z.strictObject({
      files: z.array(z.object({ line: z.int().min(1), text: z.string().max(5) })).max(3),
      mode: z.enum(["a", "b"]).default("a").describe("How."),
      size: z.number().gt(0).nullable(),
    }),
  );
  const rows = describeMembers(schema as never);
  expect(rows.map((row) => Object.values(row).map(String).join(" | "))).toEqual([
    "files | list of object |  | true | at most 3 items | ",
    "files[].line | integer |  | true | at least 1 | ",
    "files[].text | string |  | true | at most 5 characters | ",
    'mode | `"a"`, `"b"` | "a" | true |  | How.',
    "size | number or null |  | true | more than 0 | ",
  ]);
});
