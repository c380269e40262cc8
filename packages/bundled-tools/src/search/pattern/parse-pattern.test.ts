import { fc } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { createLineMatcher } from "../line-matcher.js";

/** Whether a line matches, and how ripgrep is told of the pattern. */
function match(pattern: string, line: string | Buffer, caseSensitive = true): boolean {
  const { scanner } = createLineMatcher(pattern, caseSensitive).createFinder();
  const bytes = Buffer.from(line);
  return scanner.scan(bytes, 0, bytes.length) !== -1 || scanner.matchesAtEnd();
}

const toRipgrep = (pattern: string, caseSensitive = true): string =>
  createLineMatcher(pattern, caseSensitive).ripgrep;

describe("a pattern", () => {
  it.each([
    ["a.c", "abc", "ac"],
    ["^a", "ab", "ba"],
    ["a$", "ba", "ab"],
    ["a{2,3}b", "aab", "ab"],
    ["(ab)+c", "ababc", "ac"],
    ["a|b", "b", "c"],
    ["\\bfoo\\b", "a foo.", "foot"],
    ["\\béa", "-éa", "xéa"],
    ["\\Bo", "foo", "o"],
    ["\\d", "٣", "x"],
    ["\\w", "é", "-"],
    ["\\s", "\u00a0", "x"],
    ["[^a-c]", "d", "b"],
    ["[\\w-.]", "-", "!"],
    ["[[:digit:]x]", "7", "y"],
    ["[]a]", "]", "b"],
    ["\\p{Greek}", "σ", "s"],
    ["\\pL", "λ", "1"],
    ["\\P{L}", "1", "λ"],
    ["\\x{e9}\\x41", "éA", "eA"],
    ["(?i)straße", "STRAẞE", "STRASSE"],
    ["a(?i:b)c", "aBc", "aBC"],
    ["f(x) {", "fx {", "f(x)"],
    ["[^x]", "😀", "x"],
    ["$^", "", "a"],
    ["a}", "a}", "a"],
  ])("%s matches %s and not %s", (pattern, line, other) => {
    expect([match(pattern, line), match(pattern, other)]).toEqual([true, false]);
  });

  it.each([
    ["k", "K"],
    ["σ", "ς"],
    ["[s]", "ſ"],
    ["É", "é"],
  ])("%s matches %s when letter case does not matter", (pattern, line) => {
    expect([match(pattern, line), match(pattern, line, false)]).toEqual([false, true]);
  });

  it.each([
    ["(?=a)", "looks around"],
    ["(?<!a)b", "looks around"],
    ["(a)\\1", "refers back"],
    ["a\\nb", "line break"],
    ["[\\r\\n]", "in a line"],
    ["a\\x00", "NUL"],
    ["(", "never closed"],
    [")", "closes no group"],
    ["[a", "never closed"],
    ["[z-a]", "backwards"],
    ["[a-\\d]", "another class"],
    ["*", "nothing before it"],
    ["a**", "itself repeated"],
    ["a++", "itself repeated"],
    ["a{2,1}", "below its smallest"],
    ["a{1001}", "beyond 1000"],
    ["((a{100}){100}){100}", "too large"],
    ["((((){1000}){1000}){1000}){1000}", "too large"],
    ["(".repeat(200), "too deep"],
    ["[^\\w]".repeat(500), "too many classes"],
    ["\\p{Klingon}", "Klingon"],
    ["\\p", "no name"],
    ["\\x", "no number"],
    ["\\", "single backslash"],
    ["\\<a", "two meanings"],
    ["[a&&b]", "two meanings"],
    ["\\Aa", "ends of a line"],
    ["\\Qa", "\\Q"],
    ["\\b{start}", "\\b{"],
    ["(?x)a", "option x"],
    ["(?-m)a", "option m"],
    ["(?>a)", "( ?"],
    ["\ud800", "real character"],
  ])("%s is refused, and why", (pattern, reason) => {
    expect(() => createLineMatcher(pattern, true)).toThrow(
      expect.objectContaining({
        code: "INVALID_PATTERN",
        message: expect.stringContaining(reason),
      }) as Error,
    );
  });

  it("is written out for ripgrep so that no sign is left to its own reading", () => {
    expect(toRipgrep("a{,2}[[-]#\\<".slice(0, -2))).toBe("a\\{,2\\}[\\[\\-]\\#");
    expect(toRipgrep("ab+|(?i)k")).toBe("(?:a(?:b){1,}|(?i:k))");
  });

  it("matches no byte that is no character, and what is beside it", () => {
    const line = Buffer.from("a\xe9b", "latin1");
    expect(["a.b", "[^x]b", "^a", "b$", "a\\b"].map((each) => match(each, line))).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
  });

  it("means what it does in Node's engine, where that has the same signs", () => {
    const atom = fc.constantFrom(
      "a",
      "b",
      ".",
      "\\.",
      "[ab]",
      "[^a]",
      "(?:a|bb)",
      "(?:b*)",
      "-",
      "é",
      "^",
      "$",
    );
    const count = fc.constantFrom("", "", "", "?", "*", "+", "{2}", "{1,3}?");
    const pattern = fc
      .array(fc.tuple(atom, count), { minLength: 1, maxLength: 6 })
      .map((parts) => parts.map(([a, c]) => (a === "^" || a === "$" ? a : a + c)).join(""));
    const line = fc.string({ unit: fc.constantFrom("a", "b", ".", "-", "é"), maxLength: 9 });
    fc.assert(
      fc.property(pattern, fc.array(line, { maxLength: 6 }), (text, lines) => {
        const native = new RegExp(text, "u");
        expect(lines.map((each) => [text, each, match(text, each)])).toEqual(
          lines.map((each) => [text, each, native.test(each)]),
        );
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("the text that every match holds", () => {
  it.each([
    ["needle", "needle", true],
    ["a\\.b\\(", "a.b(", true],
    ["foo.*barbaz", "barbaz", false],
    ["colou?r", "colo", false],
    ["(foo)bar", "foobar", true],
    ["x(?:abc)+y", "abc", false],
    ["(abc)?x", undefined, false],
    ["foo|bar", undefined, false],
    ["\\d+ items", " items", false],
    ["(?i)foo", undefined, false],
    ["x", "x", true],
    [" \\d", undefined, false],
  ])("of %s is %s", (pattern, literal, isLiteral) => {
    const finder = createLineMatcher(pattern, true).createFinder();
    expect([finder.literal?.toString(), finder.isLiteral]).toEqual([literal, isLiteral]);
  });
});
