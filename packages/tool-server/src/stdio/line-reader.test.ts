import { fc } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { LineReader } from "./line-reader.js";

/** What is read of a text that comes in parts. */
function read(parts: readonly string[], maxBytes = 100): readonly string[] {
  const reader = new LineReader(maxBytes);
  return parts
    .flatMap((part) => reader.push(Buffer.from(part)))
    .map((line) => (line.kind === "line" ? line.bytes.toString() : line.kind));
}

describe("LineReader", () => {
  it("cuts lines wherever the parts are cut", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 20 })), fc.nat(7), (texts, size) => {
        const lines = texts.map((text) => text.replaceAll("\n", " "));
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
        const reader = new LineReader(1_000);
        const found: string[] = [];
        for (let at = 0; at < bytes.length; at += size + 1)
          for (const line of reader.push(bytes.subarray(at, at + size + 1)))
            found.push(line.kind === "line" ? line.bytes.toString() : line.kind);
        expect(found).toEqual(lines);
      }),
    );
  });

  it("keeps an unfinished line to itself", () => {
    expect(read(["a\nb"])).toEqual(["a"]);
  });

  it("throws a line over the limit away, tells once, and goes on", () => {
    expect(read(["12345", "678", "90\nab\n"], 5)).toEqual(["too_long", "ab"]);
  });

  it("takes a line of the limit exactly", () => {
    expect(read(["12345\n123456\n1\n"], 5)).toEqual(["12345", "too_long", "1"]);
  });
});
