import { allowed, refused, type Listing, type ToolRule } from "@postern/tool";
import { describe, expect, it } from "vitest";
import { allOf } from "./all-of.js";

const listing: Listing = {
  kind: "tool",
  server: "s",
  name: "s_x",
  originalName: "x",
  tags: [],
  checkpaths: [],
  raw: {},
};

describe("allOf()", () => {
  it("allows without rules, and when every rule allows", () => {
    expect(allOf()(listing)).toEqual({ allow: true });
    expect(
      allOf(
        () => allowed,
        () => allowed,
      )(listing),
    ).toEqual({ allow: true });
  });

  it("gives the reason of the first that refuses, and asks none after it", () => {
    const asked: string[] = [];
    const rule =
      (name: string, allow: boolean): ToolRule =>
      () => {
        asked.push(name);
        return allow ? allowed : refused(name);
      };
    expect(allOf(rule("a", true), rule("b", false), rule("c", false))(listing)).toEqual({
      allow: false,
      reason: "b",
    });
    expect(asked).toEqual(["a", "b"]);
  });

  it("refuses what is no rule", () => {
    expect(() => allOf(() => allowed, undefined as unknown as ToolRule)).toThrow(
      'The rule\'s option "rule 2" is not usable: it must be a rule.',
    );
  });
});
