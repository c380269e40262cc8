import { describe, expect, it } from "vitest";
import { toPlainText, toShort } from "./plain-text.js";

describe("toPlainText()", () => {
  it.each([
    { markup: "<jats:p>One</jats:p><jats:p>two</jats:p>", text: "One two" },
    { markup: "H<sub>2</sub>O, <jats:italic>in vivo</jats:italic>", text: "H2O, in vivo" },
    { markup: '<a href="x">l</a><br/>m<!-- n -->', text: "l m" },
    { markup: "p < 0.05 and q > 1", text: "p < 0.05 and q > 1" },
    { markup: "a<b and c>d", text: "a<b and c>d" },
    {
      markup: "&lt;b&gt; &#945;&#x3b2; &amp;lt; &nosuch; &#xd800;&#0;",
      text: "<b> αβ &lt; &nosuch;",
    },
    { markup: "a\u0000b\u001b[31m\n\tc", text: "a b [31m c" },
  ])("makes $text of $markup", ({ markup, text }) => {
    expect(toPlainText(markup)).toBe(text);
  });

  it.each([
    "<a ",
    "<a b=",
    '<a b="',
    "<!--",
    "&#",
    "<".repeat(3),
    "<a\u0020\u0020\u0020\u0020\u0020",
  ])("is done soon with 50,000 characters of %s", (piece) => {
    const start = performance.now();
    toPlainText(piece.repeat(50_000 / piece.length));
    expect(performance.now() - start).toBeLessThan(500);
  });
});

describe("toShort()", () => {
  it("never cuts a character in two", () => {
    expect([toShort("ab😀", 3), toShort("ab😀", 4), toShort("abcdef", 4, "…")]).toEqual([
      "ab",
      "ab😀",
      "abc…",
    ]);
  });
});
