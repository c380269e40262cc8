import { describe, expect, it } from "vitest";
import { parseTerms, toFreeText } from "./parse-terms.js";

describe("parseTerms()", () => {
  it.each([
    { query: "gene therapy", terms: ["gene", "therapy"] },
    { query: '"gene therapy" mice', terms: ["gene therapy", "mice"] },
    { query: "“gene   therapy”", terms: ["gene therapy"] },
    { query: "cancer) OR (SRC:PPR", terms: ["cancer", "SRC", "PPR"] },
    { query: "smith[au] AND 2020:2024[dp]", terms: ["smith", "au", "2020", "2024", "dp"] },
    { query: "ti:graph ANDNOT au:x*", terms: ["ti", "graph", "au", "x"] },
    { query: "not and or Or", terms: [] },
    { query: '"salt and pepper"', terms: ["salt and pepper"] },
    { query: 'a "b c', terms: ["a", "b", "c"] },
    {
      query: "Alzheimer’s self-supervised v1.2 -x- it's.",
      terms: ["Alzheimer's", "self-supervised", "v1.2", "x", "it's"],
    },
    { query: "Müller 遺伝子 ген", terms: ["Müller", "遺伝子", "ген"] },
    { query: "u\u0308ber", terms: ["über"] },
    { query: '  ?!* () "" ', terms: [] },
  ])("takes $terms out of $query", ({ query, terms }) => {
    expect(parseTerms(query)).toEqual(terms);
  });

  it("lets nothing pass that any source takes for syntax", () => {
    const all = Array.from({ length: 0x2fff }, (_none, code) => String.fromCharCode(code)).join("");
    const phrase = String.raw`"()[]{}:;^~?*+!&|/\<>=@#$%,` + "`";
    for (const query of [all, `a${all}b`, `x ${phrase} y`, `"${all}"`])
      expect(parseTerms(query).filter((term) => !/^[\p{L}\p{M}\p{N} .'-]+$/u.test(term))).toEqual(
        [],
      );
  });

  it("takes so many words and no more", () => {
    expect(parseTerms("w ".repeat(100))).toHaveLength(40);
    expect(parseTerms(`${"w ".repeat(39)}"a b c"`).at(-1)).toBe("a");
  });
});

describe("toFreeText()", () => {
  it("keeps phrases together", () => {
    expect(toFreeText(["gene therapy", "mice"])).toBe('"gene therapy" mice');
  });
});
