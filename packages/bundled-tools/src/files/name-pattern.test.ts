import { expect, it } from "vitest";
import { byNamePattern } from "./name-pattern.js";

const cases: readonly {
  pattern: string;
  matches: readonly string[];
  refuses: readonly string[];
}[] = [
  { pattern: "*", matches: ["a", ".hidden", "a b"], refuses: [] },
  { pattern: "**", matches: ["a", ".hidden"], refuses: [] },
  { pattern: "*.ts", matches: ["a.ts", ".ts", "a.b.ts"], refuses: ["a.tsx", "ats", "A.TS"] },
  { pattern: "*.ts *.md", matches: ["a.ts", "b.md"], refuses: ["c.js"] },
  { pattern: "  *.ts\t", matches: ["a.ts"], refuses: ["b.md"] },
  { pattern: "a?c", matches: ["abc", "a😀c"], refuses: ["ac", "abbc"] },
  { pattern: "*.{ts,m{d,dx}}", matches: ["a.ts", "a.md", "a.mdx"], refuses: ["a.{ts,md}", "a.m"] },
  { pattern: "{a}", matches: ["{a}"], refuses: ["a"] },
  { pattern: "[a-c]1", matches: ["a1", "c1"], refuses: ["d1", "a2"] },
  { pattern: "[!a-c]1", matches: ["d1"], refuses: ["a1"] },
  { pattern: "[^a]", matches: ["b"], refuses: ["a"] },
  { pattern: "[]]", matches: ["]"], refuses: ["["] },
  { pattern: "[!]]", matches: ["a"], refuses: ["]"] },
  { pattern: "[-a]", matches: ["-", "a"], refuses: ["b"] },
  { pattern: "[a", matches: ["[a"], refuses: ["a"] },
  { pattern: "!a", matches: ["!a"], refuses: ["a", "b"] },
  { pattern: "a*b*c", matches: ["abc", "a-b-c", "abbcc"], refuses: ["acb", "abcd"] },
  { pattern: "a.c", matches: ["a.c"], refuses: ["abc"] },
  { pattern: "", matches: [], refuses: ["", "a"] },
];

it.each(cases)("matches names by $pattern", ({ pattern, matches, refuses }) => {
  const isMatch = byNamePattern(pattern);
  expect({ matches: matches.filter(isMatch), refuses: refuses.filter(isMatch) }).toEqual({
    matches,
    refuses: [],
  });
});

it("answers at once for a pattern that ties regular expressions in knots", () => {
  const startedAt = performance.now();
  expect(byNamePattern(`${"*a".repeat(20)}*b`)("a".repeat(255))).toBe(false);
  expect(performance.now() - startedAt).toBeLessThan(200);
});

it("stops at a sane number of alternatives", () => {
  const startedAt = performance.now();
  expect(byNamePattern("{a,b}".repeat(40))("c")).toBe(false);
  expect(performance.now() - startedAt).toBeLessThan(200);
});
