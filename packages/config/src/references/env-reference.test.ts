import { fc } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import {
  findForeignReference,
  hasLookAlike,
  hasReference,
  toReferencePieces,
} from "./env-reference.js";

describe("toReferencePieces()", () => {
  it("cuts a text at its references", () => {
    expect(toReferencePieces("a{env:B}c{env:_d1}")).toEqual([
      { kind: "text", text: "a", offset: 0 },
      { kind: "reference", name: "B", offset: 1 },
      { kind: "text", text: "c", offset: 8 },
      { kind: "reference", name: "_d1", offset: 9 },
    ]);
  });

  it("loses no character of a text", () => {
    const part = fc.constantFrom("{env:A}", "{env:", "}", "{", "x", "env:", "{env:1}", " ");
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join("");
        const joined = toReferencePieces(text).map((piece) =>
          piece.kind === "text" ? piece.text : `{env:${piece.name}}`,
        );
        expect(joined.join("")).toBe(text);
      }),
    );
  });
});

describe("hasLookAlike()", () => {
  it.each([
    "{env:}",
    "{env: X}",
    "{ env:X}",
    "{env :X}",
    "{ENV:X}",
    "{Env:X}",
    "{env:1X}",
    "{env:X",
    "{env:X-Y}",
    "{env:X}{env:}",
    "${env:X}",
    "{env:{env:X}}",
  ])("sees one in %s", (text) => {
    expect(hasLookAlike(text)).toBe(true);
  });

  it.each(["", "{env:X}", "a {env:X} b", "${X}", "{environment}", "env:X", "{X}"])(
    "sees none in %j",
    (text) => {
      expect(hasLookAlike(text)).toBe(false);
    },
  );
});

describe("hasReference()", () => {
  it("sees one with text around it, and none in a look-alike", () => {
    expect(["a{env:X}b", "{env: X}", ""].map(hasReference)).toEqual([true, false, false]);
  });
});

describe("findForeignReference()", () => {
  it.each([
    ["Bearer ${TOKEN}", "${TOKEN}"],
    ["${TOKEN:-none}", "${TOKEN:-none}"],
    ["${input:api-key}", "${input:api-key}"],
  ])("finds the one in %s", (text, found) => {
    expect(findForeignReference(text)).toBe(found);
  });

  it.each(["{env:X}", "$X", "$(x)", "{X}"])("finds none in %s", (text) => {
    expect(findForeignReference(text)).toBeUndefined();
  });
});
