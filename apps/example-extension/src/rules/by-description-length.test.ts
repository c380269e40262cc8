import { defineTool, toolSet, type Listing } from "@postern/tool";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { byDescriptionLength } from "./by-description-length.js";

const tools = toolSet(
  ["short", "a much longer description"].map((description, at) =>
    defineTool({ name: `tool_${at}`, description, input: z.object({}), run: () => "ran" }),
  ),
);

const named = async (maxCharacters: number) =>
  (await tools.restrict(byDescriptionLength({ maxCharacters })).list()).map(({ name }) => name);

describe("byDescriptionLength()", () => {
  it("hides a long description, at the limit not yet", async () => {
    expect(await named(25)).toEqual(["tool_0", "tool_1"]);
    expect(await named(24)).toEqual(["tool_0"]);
  });

  it("gives the owner the figures", async () => {
    const [, long] = await tools.list();
    expect(byDescriptionLength({ maxCharacters: 10 })(long as Listing)).toEqual({
      allow: false,
      reason: "description: 25 characters, at most 10",
    });
  });

  it.each([0, -1, 1.5, Number.NaN])("refuses the limit %d", (maxCharacters) => {
    expect(() => byDescriptionLength({ maxCharacters })).toThrow(
      expect.objectContaining({ code: "INVALID_LIMIT" }),
    );
  });
});
