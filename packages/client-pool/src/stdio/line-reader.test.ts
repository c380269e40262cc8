import { fc } from "@postern/test-kit";
import { expect, it } from "vitest";
import { LineReader } from "./line-reader.js";

const readAll = (
  chunks: readonly Buffer[],
  maxBytes = 1_000,
): { lines: string[]; overflows: number } => {
  const read = { lines: [] as string[], overflows: 0 };
  const reader = new LineReader({
    maxBytes,
    onLine: (line) => read.lines.push(line),
    onOverflow: () => (read.overflows += 1),
  });
  for (const chunk of chunks) reader.push(chunk);
  return read;
};

it("cuts lines however the bytes arrive, also within a character", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme" })),
      fc.integer({ min: 1, max: 7 }),
      (texts, size) => {
        const lines = texts.map((text) => text.replaceAll("\n", ""));
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_value, at) =>
          bytes.subarray(at * size, (at + 1) * size),
        );
        expect(readAll(chunks, 100_000)).toEqual({ lines, overflows: 0 });
      },
    ),
  );
});

it("keeps an unfinished line back", () => {
  expect(readAll([Buffer.from("a\nb")]).lines).toEqual(["a"]);
});

it.each([
  ["in one piece", [`ok\n${"x".repeat(11)}\nlater\n`]],
  ["in many pieces", ["ok\nxxxx", "xxxx", "xxxx", "xxxx", "\nlater\n"]],
  ["that never ends", ["ok\n", "xxxxxx", "xxxxxx", "xxxxxx", "xxxxxx"]],
])("reports a line that is too long once, and reads no further: %s", (_case, texts) => {
  const read = readAll(
    texts.map((text) => Buffer.from(text)),
    10,
  );
  expect(read).toEqual({ lines: ["ok"], overflows: 1 });
});

it("takes a line of exactly the limit", () => {
  expect(readAll([Buffer.from(`${"x".repeat(10)}\n`)], 10)).toEqual({
    lines: ["xxxxxxxxxx"],
    overflows: 0,
  });
});
