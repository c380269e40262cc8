import { fc } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "./canonical-json.js";
import type { JsonValue } from "./json.js";

const code = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return (error as { readonly code?: string }).code;
  }
};

const nest = (levels: number): JsonValue =>
  JSON.parse("[".repeat(levels) + "]".repeat(levels)) as JsonValue;

describe("canonicalJson()", () => {
  it("writes the sample of RFC 8785 §3.2.2 as that section does", () => {
    const sample = JSON.parse(
      String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
    ) as JsonValue;
    expect(canonicalJson(sample)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it("orders keys by UTF-16 code units, as RFC 8785 §3.2.3 does", () => {
    const sample = {
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis",
    };
    expect(Object.values(JSON.parse(canonicalJson(sample)) as object)).toEqual([
      "One",
      "Carriage Return",
      "Control",
      "Latin Small Letter O With Diaeresis",
      "Euro Sign",
      "Emoji: Grinning Face",
      "Hebrew Letter Dalet With Dagesh",
    ]);
    expect(canonicalJson({ b: 1, "": 0, a: 2, B: 3, "10": 4, "9": 5 })).toBe(
      '{"":0,"10":4,"9":5,"B":3,"a":2,"b":1}',
    );
  });

  it.each([
    { bits: "0000000000000000", text: "0" },
    { bits: "8000000000000000", text: "0" },
    { bits: "0000000000000001", text: "5e-324" },
    { bits: "7fefffffffffffff", text: "1.7976931348623157e+308" },
    { bits: "4340000000000000", text: "9007199254740992" },
    { bits: "4430000000000000", text: "295147905179352830000" },
    { bits: "44b52d02c7e14af5", text: "9.999999999999997e+22" },
    { bits: "44b52d02c7e14af6", text: "1e+23" },
    { bits: "444b1ae4d6e2ef4e", text: "999999999999999700000" },
    { bits: "444b1ae4d6e2ef50", text: "1e+21" },
    { bits: "3eb0c6f7a0b5ed8c", text: "9.999999999999997e-7" },
    { bits: "3eb0c6f7a0b5ed8d", text: "0.000001" },
    { bits: "41b3de4355555555", text: "333333333.3333333" },
    { bits: "becbf647612f3696", text: "-0.0000033333333333333333" },
  ])("writes the number $bits of RFC 8785 appendix B as $text", ({ bits, text }) => {
    expect(canonicalJson(Buffer.from(bits, "hex").readDoubleBE())).toBe(text);
  });

  it("tells a number from a string and a boolean, and 1.0 not from 1", () => {
    expect(["1", '"1"', "true", "1.0"].map((json) => canonicalJson(JSON.parse(json)))).toEqual([
      "1",
      '"1"',
      "true",
      "1",
    ]);
  });

  it("leaves out members that are undefined, and keeps null", () => {
    expect(canonicalJson({ b: undefined, a: null })).toBe('{"a":null}');
  });

  it("keeps a member named __proto__", () => {
    const parsed = JSON.parse('{"__proto__":{"x":1},"a":2}') as JsonValue;
    expect(canonicalJson(parsed)).toBe('{"__proto__":{"x":1},"a":2}');
  });

  it("tells half a surrogate pair from its written escape", () => {
    expect(canonicalJson("\ud800")).toBe(String.raw`"\ud800"`);
    expect(canonicalJson(String.raw`\ud800`)).toBe(String.raw`"\\ud800"`);
  });

  it("takes objects without a prototype", () => {
    expect(canonicalJson(Object.assign(Object.create(null) as object, { a: 1 }))).toBe('{"a":1}');
  });

  it.each([
    { what: "NaN", value: Number.NaN },
    { what: "infinity", value: Number.NEGATIVE_INFINITY },
    { what: "a bigint", value: 1n },
    { what: "a function", value: () => 1 },
    { what: "a symbol", value: Symbol("x") },
    { what: "undefined", value: undefined },
    { what: "an array with undefined", value: [undefined] },
    // oxlint-disable-next-line no-sparse-arrays -- the hole is the case
    { what: "an array with a hole", value: [1, , 2] },
    { what: "a date", value: { at: new Date(0) } },
    { what: "a map", value: new Map([["a", 1]]) },
    { what: "an instance of a class", value: new URL("x://a") },
  ])("refuses $what", ({ value }) => {
    expect(code(() => canonicalJson(value as JsonValue))).toBe("NOT_JSON");
  });

  it("refuses what nests deeper than 512, also a circle, before the stack ends", () => {
    const circle: JsonValue[] = [];
    circle.push(circle);
    expect(canonicalJson(nest(512))).toHaveLength(1_024);
    expect(code(() => canonicalJson(nest(100_000)))).toBe("NOT_JSON");
    expect(code(() => canonicalJson(circle))).toBe("NOT_JSON");
  });

  it("gives equal text for equal values only, whatever the order of keys", () => {
    const shuffled = (value: unknown): unknown =>
      typeof value !== "object" || value === null
        ? value
        : Array.isArray(value)
          ? value.map(shuffled)
          : Object.fromEntries(
              Object.entries(value)
                .toReversed()
                .map(([key, member]) => [key, shuffled(member)]),
            );
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const json = JSON.parse(JSON.stringify(value)) as JsonValue;
        const text = canonicalJson(json);
        expect(JSON.parse(text)).toEqual(json);
        expect(canonicalJson(shuffled(json) as JsonValue)).toBe(text);
        expect(canonicalJson(JSON.parse(text) as JsonValue)).toBe(text);
      }),
      { numRuns: 1_000 },
    );
  });
});
