import { fc } from "@postern/test-kit";
import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { parsePattern } from "./parse-pattern.js";

describe("parsePattern()", () => {
  it.each([
    ["needle", "needle", true],
    ["a\\.b\\(", "a.b(", true],
    ["foo.*barbaz", "barbaz", false],
    ["colou?r", "colo", false],
    ["ab*cd", "cd", false],
    ["(foo)bar", "bar", false],
    ["foo|bar", "", false],
    ["\\d+ items", " items", false],
    ["(?i)foo", "", false],
    ["😀x?", "😀", false],
  ])("knows the text that every match of %s holds", (pattern, literal, isLiteral) => {
    expect(parsePattern(pattern, true)).toMatchObject({ literal, isLiteral });
  });

  it("knows none when letter case does not matter", () => {
    expect(parsePattern("needle", false)).toMatchObject({ literal: "", isLiteral: false });
  });

  it.each(["(a+)+$", "a*a*b", "(a|aa)+", "(?:x){3}", "\\pL", "[[:alpha:]]", "x{1000}", "[\\W]"])(
    "leaves %s to the engine that never tries again",
    (pattern) => {
      expect(parsePattern(pattern, true).native).toBeUndefined();
    },
  );

  it("says the same in both engines", () => {
    const atom = fc.constantFrom(
      "a",
      "b",
      ".",
      "\\.",
      "[ab]",
      "[^a]",
      "\\w",
      "\\d",
      "\\s",
      "[\\d_]",
      "-",
      "/",
      "}",
      "]",
      "é",
    );
    const pattern = fc
      .array(fc.tuple(atom, fc.constantFrom("", "", "", "?", "*", "+", "{2}")), {
        minLength: 1,
        maxLength: 5,
      })
      .map((parts) => parts.map((part) => part.join("")).join(""));
    const line = fc
      .array(fc.constantFrom("a", "b", ".", "_", "1", " ", "-", "/", "}", "]", "é", "c"), {
        maxLength: 8,
      })
      .map((parts) => parts.join(""));
    let compared = 0;
    fc.assert(
      fc.property(pattern, fc.array(line, { maxLength: 5 }), (text, lines) => {
        const { re2, native, literal } = parsePattern(text, true);
        const steady = RE2JS.compile(re2);
        for (const each of lines) {
          const isMatch = steady.matcher(each).find();
          expect(!isMatch || each.includes(literal)).toBe(true);
          if (native === undefined) continue;
          compared += 1;
          expect([text, each, new RegExp(native, "u").test(each)]).toEqual([text, each, isMatch]);
        }
      }),
      { numRuns: 3_000 },
    );
    expect(compared).toBeGreaterThan(1_000);
  });
});
