import { isPosternError } from "@postern/errors";
import { describe, expect, it } from "vitest";
import { applyEdits, type Edit, type Edited } from "./apply-edits.js";
import { createSource } from "./source-text.js";

type Outcome = Pick<Edited, "raw" | "matchers" | "replacements"> | { readonly code: string };

function edit(raw: string, ...edits: (Partial<Edit> & { old: string; new: string })[]): Outcome {
  const wanted = edits.map(({ old, new: fresh, replaceAll = false }) => ({
    oldString: old,
    newString: fresh,
    replaceAll,
  }));
  const outcome = applyEdits(createSource(raw, false), wanted, "a");
  return isPosternError(outcome) ? { code: outcome.code } : outcome;
}

const raws = (outcome: Outcome): string => ("raw" in outcome ? outcome.raw : outcome.code);

describe("applyEdits()", () => {
  it("replaces text that stands there exactly once", () => {
    expect(edit("a b c\n", { old: "b", new: "x" })).toEqual({
      raw: "a x c\n",
      replacements: 1,
      matchers: ["exact"],
    });
  });

  it("refuses text that stands there twice exactly, and never falls through to a looser match", () => {
    expect(edit("  foo()\nfoo()\n", { old: "foo()", new: "bar()" })).toEqual({
      code: "EDIT_AMBIGUOUS",
    });
  });

  it("takes copies that overlap for two", () => {
    expect(edit("aaa", { old: "aa", new: "b" })).toEqual({ code: "EDIT_AMBIGUOUS" });
  });

  it("matches blank text only exactly, also with replace_all", () => {
    expect(edit("ab\n\ncd\n", { old: "  \n", new: "x", replaceAll: true })).toEqual({
      code: "EDIT_NO_MATCH",
    });
  });

  it("adds no blank line when a loose match ends in a line break", () => {
    expect(
      edit("if x:\n    go()\nend\n", { old: "go( )\n".replace(" ", ""), new: "stop()\n" }),
    ).toEqual({
      raw: "if x:\n    stop()\nend\n",
      replacements: 1,
      matchers: ["exact"],
    });
    expect(
      raws(edit("if x:\n    go()\n    on()\nend", { old: "go()\non()\n", new: "stop()\n" })),
    ).toBe("if x:\n    stop()\nend");
  });

  it("adds no line break to the end of a file that has none", () => {
    expect(
      edit("if x:\n    go()\n    on()", { old: "go()\non()\n", new: "stop()\n" }),
    ).toMatchObject({ raw: "if x:\n    stop()", matchers: ["line-trimmed"] });
  });

  it("gives a replacement the indentation of the block it replaces", () => {
    const outcome = edit("class A {\n\tgo() {\n\t\trun();\n\t}\n}\n", {
      old: "go() {\n  run();\n}",
      new: "go() {\n  walk();\n  run();\n}",
    });
    expect(outcome).toEqual({
      raw: "class A {\n\tgo() {\n\t\twalk();\n\t\trun();\n\t}\n}\n",
      replacements: 1,
      matchers: ["line-trimmed"],
    });
  });

  it("keeps every ending outside the replaced text, in a file that mixes them", () => {
    expect(raws(edit("a\r\nb\nc\nd\re\n", { old: "b\nc", new: "b\nx\ny" }))).toBe(
      "a\r\nb\nx\ny\nd\re\n",
    );
  });

  it("writes new lines with the ending that most lines have", () => {
    expect(raws(edit("a\nb\nc\r\n", { old: "b", new: "b\nx" }))).toBe("a\nb\nx\nc\r\n");
    expect(raws(edit("a\r\nb\r\nc\n", { old: "b", new: "b\nx" }))).toBe("a\r\nb\r\nx\r\nc\n");
    expect(raws(edit("a\rb\r", { old: "b", new: "b\nx" }))).toBe("a\rb\rx\r");
  });

  it("finds text over CRLF and lone CR when it is given with LF", () => {
    expect(raws(edit("a\r\nb\rc\r\n", { old: "a\nb\nc", new: "x" }))).toBe("x\r\n");
  });

  it("replaces every block that a loose match finds, and not only equal copies", () => {
    const outcome = edit("  go( );\n\tgo( );\n", {
      old: "go( );\n",
      new: "run();\n",
      replaceAll: true,
    });
    expect(raws(outcome)).toBe("  run();\n\trun();\n");
    const loose = edit("if a\n  x;\n  y;\nif b\n\tx;\n\ty;\n", {
      old: "x;\ny;",
      new: "z;",
      replaceAll: true,
    });
    expect(loose).toEqual({
      raw: "if a\n  z;\nif b\n\tz;\n",
      replacements: 2,
      matchers: ["line-trimmed"],
    });
  });

  it("refuses several loose places unless one is shifted just as what was looked for", () => {
    expect(edit("  a\n   b\n\n    a\n      b\n", { old: "a\n  b", new: "x" })).toEqual({
      raw: "  a\n   b\n\n    x\n",
      replacements: 1,
      matchers: ["indentation-flexible"],
    });
    expect(edit("  a\n    b\n\n    a\n      b\n", { old: "a\n  b", new: "x" })).toEqual({
      code: "EDIT_AMBIGUOUS",
    });
  });

  it("finds a block by its first and last line when its middle is alike", () => {
    const outcome = edit("function go() {\n  const limit = 10;\n  run(limit);\n}\n", {
      old: "function go() {\n  const limit = 12;\n  run(limits);\n}",
      new: "function go() {\n}",
    });
    expect(outcome).toMatchObject({ raw: "function go() {\n}\n", matchers: ["block-anchor"] });
  });

  it("refuses a block whose middle is another one", () => {
    expect(
      edit("begin\n  something else entirely\n  and more of it\nend\n", {
        old: "begin\n  const a = 1;\n  return a;\nend",
        new: "x",
      }),
    ).toEqual({ code: "EDIT_NO_MATCH" });
  });

  it("goes on to later matchers when a candidate is out of proportion", () => {
    const middle = "  y();\n".repeat(3);
    const outcome = edit(`start\n${middle}stop\n\ncall(1,  2)\n`, {
      old: "call(1, 2)",
      new: "call(3)",
    });
    expect(outcome).toMatchObject({ matchers: ["whitespace-normalised"] });
    // The candidate of block-anchor is over 500 characters longer; the one of context-aware fits.
    const long = "x".repeat(900);
    const text = `open\n${long}\nsame\nclose\n--\nopen\nother\nsame\nclose\n`;
    expect(edit(text, { old: "open\nzzzz\nsame\nclose", new: "gone" })).toMatchObject({
      raw: `open\n${long}\nsame\nclose\n--\ngone\n`,
      matchers: ["context-aware"],
    });
  });

  it("finds a part of a line that differs in blanks only", () => {
    expect(edit("let x = f( a,   b );\n", { old: "a, b", new: "c" })).toEqual({
      raw: "let x = f( c );\n",
      replacements: 1,
      matchers: ["whitespace-normalised"],
    });
  });

  it("applies several edits in order, all or none", () => {
    expect(raws(edit("a b\n", { old: "a", new: "c" }, { old: "c b", new: "d" }))).toBe("d\n");
    expect(edit("a b\n", { old: "a", new: "c" }, { old: "nope", new: "d" })).toEqual({
      code: "EDIT_NO_MATCH",
    });
  });

  it("looks only for the text itself in a file of more than 20,000 lines", () => {
    const long = "  a\n".repeat(20_001);
    expect(edit(`${long}b  c\n`, { old: "b c", new: "x" })).toEqual({ code: "EDIT_NO_MATCH" });
    expect(edit(`${long}b c\n`, { old: "b c", new: "x" })).toMatchObject({ matchers: ["exact"] });
  });

  it.each([
    { old: "", new: "x", code: "EDIT_EMPTY_OLD" },
    { old: "a\r\n", new: "a\n", code: "EDIT_WITHOUT_CHANGE" },
    { old: "nope", new: "x", code: "EDIT_NO_MATCH" },
  ])("refuses $old → $new", ({ code, ...pair }) => {
    expect(edit("a\n", pair)).toEqual({ code });
  });

  it("takes time that grows with the text and not with its square", () => {
    const same = "x\n".repeat(19_000);
    const start = performance.now();
    edit(`${same}y\n`, { old: `${"x \n".repeat(9_000)}z`, new: "w" });
    edit(`${"a ".repeat(200_000)}\n`, { old: `${"a ".repeat(5_000)}b`, new: "w" });
    edit("begin\nx\nend\n".repeat(6_000), { old: "begin\nq\nend", new: "w" });
    expect(performance.now() - start).toBeLessThan(15_000);
  });
});
