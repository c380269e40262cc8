import { describe, expect, it } from "vitest";
import { toQuoted } from "./to-quoted.js";

describe("toQuoted()", () => {
  it.each([
    ["/etc/passwd", '"/etc/passwd"'],
    ['a"b\\c', String.raw`"a\"b\\c"`],
    ["a\nAllow? y", String.raw`"a\u000aAllow? y"`],
    ["\u001b[2Ja\u0085b\u007f", String.raw`"\u001b[2Ja\u0085b\u007f"`],
    ["x\u202etxt.exe\u2066", String.raw`"x\u202etxt.exe\u2066"`],
    ["a\u200bb\u2028c\ufeff", String.raw`"a\u200bb\u2028c\ufeff"`],
    ["\ud800x", String.raw`"\ud800x"`],
    ["\u{e0041}", String.raw`"\udb40\udc41"`],
    ["häß 日本 😀", '"häß 日本 😀"'],
    ["", '""'],
  ])("writes %j as %s", (text, quoted) => {
    expect(toQuoted(text, 100)).toBe(quoted);
  });

  it("gives nothing rather than a part of what is too long, counted as it is written", () => {
    expect([toQuoted("abc", 5), toQuoted("abc", 4), toQuoted("\n", 7), toQuoted("\n", 8)]).toEqual([
      '"abc"',
      undefined,
      undefined,
      String.raw`"\u000a"`,
    ]);
  });
});
