import { fc } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { findCharacter } from "./find-character.js";
import { OutputRecorder } from "./output-recorder.js";

const toText = (bytes: Uint8Array): string =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

function record(chunks: readonly Uint8Array[], maxChars: number): OutputRecorder {
  const recorder = new OutputRecorder(maxChars);
  for (const chunk of chunks) recorder.push(chunk);
  return recorder;
}

/** Bytes of which many are parts of characters. */
const anyBytes = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 60 }),
  fc
    .array(fc.constantFrom(0x61, 0x80, 0xbf, 0xc3, 0xe2, 0x82, 0xac, 0xed, 0xf0, 0x9f, 0xf4, 0xff))
    .map((bytes) => Uint8Array.from(bytes)),
);

/** Cuts bytes into pieces of a few each. */
function toPieces(bytes: Uint8Array, size: number): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
  return pieces;
}

describe("findCharacter", () => {
  it("sees characters and broken sequences as the decoder does", () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        let text = "";
        for (let at = 0; at < bytes.length;) {
          const { bytes: length, units } = findCharacter(bytes, at);
          const character = toText(bytes.subarray(at, at + length));
          expect(character).toHaveLength(units);
          text += character;
          at += length;
        }
        expect(text).toBe(toText(bytes));
      }),
      { numRuns: 2_000 },
    );
  });
});

const last = (text: string): string => record([Buffer.from(text)], 1_000).findLastLine();

describe("OutputRecorder", () => {
  it("keeps what fits as it is, however it comes", () => {
    fc.assert(
      fc.property(anyBytes, fc.integer({ min: 1, max: 5 }), (bytes, size) => {
        const text = toText(bytes);
        const recorder = record(toPieces(bytes, size), Math.max(1, text.length));
        expect(recorder.finish()).toEqual({ text, truncated: false });
      }),
    );
  });

  it("else keeps the head and the tail in whole characters, and counts every byte between them", () => {
    const sizes = fc.record({
      size: fc.integer({ min: 1, max: 5 }),
      max: fc.integer({ min: 1, max: 20 }),
    });
    const text = fc.string({ unit: "grapheme", maxLength: 200 });
    fc.assert(
      fc.property(text, sizes, (whole, { size, max }) => {
        fc.pre(whole.length > max && !whole.includes("[…"));
        const bytes = Buffer.from(whole);
        const kept = record(toPieces(bytes, size), max).finish();
        const [, head = "", missing, tail = ""] =
          /^(.*?)\n?\[… (\d+) bytes left out …\]\n(.*)$/s.exec(kept.text) ?? [];
        expect(kept.truncated).toBe(true);
        expect(whole.startsWith(head)).toBe(true);
        expect(whole.endsWith(tail)).toBe(true);
        expect(head.length + tail.length).toBeLessThanOrEqual(max);
        // The line break before the mark belongs to the head when the output has one there.
        const known = Buffer.byteLength(head) + Number(missing) + Buffer.byteLength(tail);
        const hasBreak = whole.startsWith(`${head}\n`) && known + 1 === bytes.length;
        expect(known + (hasBreak ? 1 : 0)).toBe(bytes.length);
        expect(head.length + tail.length).toBeGreaterThanOrEqual(max - 3);
      }),
      { numRuns: 1_000 },
    );
  });

  it("cuts no character of four bytes in two", () => {
    const bytes = Buffer.from("😀".repeat(100));
    expect(record([bytes], 3).finish()).toEqual({
      text: "😀\n[… 396 bytes left out …]\n",
      truncated: true,
    });
  });

  it("keeps little memory of much output", () => {
    const recorder = new OutputRecorder(100);
    const chunk = Buffer.alloc(1_000_000, "x");
    const before = process.memoryUsage.rss();
    for (let round = 0; round < 100; round += 1) recorder.push(chunk);
    expect(recorder.bytes).toBe(100_000_000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(50_000_000);
    expect(recorder.finish().text).toBe(
      `${"x".repeat(50)}\n[… 99999900 bytes left out …]\n${"x".repeat(50)}`,
    );
  });

  it("does not follow later changes of a piece", () => {
    const chunk = Buffer.from("abcdef");
    const recorder = record([chunk], 10);
    chunk.fill("x");
    expect(recorder.finish().text).toBe("abcdef");
  });

  it("finds the last line that is not blank, made safe for a line of progress", () => {
    expect(last("")).toBe("");
    expect(last("one\n two\r\n\n")).toBe("two");
    expect(last("10%\r20%")).toBe("20%");
    expect(last("a\u001b[31mb\u202ec")).toBe("a [31mb c");
    expect(last("x".repeat(10_000))).toHaveLength(200);
  });
});
