import { describe, expect, it } from "vitest";
import { parseIgnoreRules } from "./parse-ignore-rules.js";

const toBytes = (text: string): string => Buffer.from(text).toString("latin1");

const isAbout = (glob: string, path: string): boolean =>
  parseIgnoreRules(toBytes(glob)).some((rule) => rule.matches(toBytes(path)));

describe("parseIgnoreRules()", () => {
  it.each([
    ["*.log", "x/a.log", "a.logs"],
    ["/a", "a", "x/a"],
    ["d/a", "d/a", "x/d/a"],
    ["**/d/a", "x/d/a", "x/d/b"],
    ["d/**", "d/x/y", "d"],
    ["d/**/a", "d/a", "d/b"],
    ["a**", "abc", "x/y"],
    ["[!a]", "b", "a"],
    ["[a-c]", "b", "d"],
    ["[]]", "]", "x"],
    ["[", "[", "x"],
    ["*.{js,ts}", "a.ts", "a.css"],
    ["{a,b/{c,d}}", "b/d", "b/e"],
    ["\\#a", "#a", "a"],
    ["\\!a", "!a", "a"],
    ["a\\*", "a*", "ab"],
    ["x ", "x", "x "],
    ["x\\ ", "x ", "x"],
    ["é", "é", "e"],
    ["??", "é", "e"],
  ])("%s is about %s and not about %s", (glob, path, other) => {
    expect([isAbout(glob, path), isAbout(glob, other)]).toEqual([true, false]);
  });

  it("leaves out comments, blank lines and globs that are none", () => {
    expect(parseIgnoreRules("# a\n\n \n{a\na}\n[z-a]\na\\")).toEqual([]);
  });

  it("knows what is taken back, and what is for directories", () => {
    expect(parseIgnoreRules("\u00ef\u00bb\u00bf!a/\r\nb")).toMatchObject([
      { isKept: true, isForDirectories: true },
      { isKept: false, isForDirectories: false },
    ]);
  });

  it("takes no time for a line that is made to take it", () => {
    const start = performance.now();
    expect(isAbout(`${"*a".repeat(200)}*b`, "a".repeat(250))).toBe(false);
    expect(isAbout(`${"**/a/".repeat(200)}b`, "a/".repeat(1_000))).toBe(false);
    expect(isAbout("{a,b}".repeat(100), "a".repeat(100))).toBe(false);
    expect(performance.now() - start).toBeLessThan(500);
  });
});
