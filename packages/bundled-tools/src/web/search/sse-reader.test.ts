import { fc } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { createSseReader } from "./sse-reader.js";

function readAll(pieces: readonly string[]): readonly string[] {
  const reader = createSseReader();
  return [...pieces.flatMap((piece) => reader.read(piece)), ...reader.readRest()];
}

describe("createSseReader()", () => {
  it("joins data of several lines, and passes over comments and other fields", () => {
    expect(readAll([": hi\nevent: x\ndata: a\ndata:b\ndata\nid: 1\n\ndata: c\n\n\n"])).toEqual([
      "a\nb\n",
      "c",
    ]);
  });

  it("gives the last event also when its empty line is missing", () => {
    expect(readAll(["data: a"])).toEqual(["a"]);
  });

  it("reads the same, whatever the line ends are and wherever pieces are cut", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("\n", "\r\n", "\r"),
        fc.array(fc.nat(60), { maxLength: 5 }),
        (lineEnd, cuts) => {
          const text = ["\ufeffdata: one", "data: two", "", ": c", "data:three", "", ""].join(
            lineEnd,
          );
          const at = [0, ...cuts.toSorted((a, b) => a - b), text.length];
          const pieces = at.slice(1).map((end, index) => text.slice(at[index], end));
          expect(readAll(pieces)).toEqual(["one\ntwo", "three"]);
        },
      ),
    );
  });
});
