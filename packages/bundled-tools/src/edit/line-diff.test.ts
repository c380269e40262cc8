import { applyPatch } from "diff";
import { fc } from "@postern/test-kit";
import { expect, it } from "vitest";
import { toLineDiff } from "./line-diff.js";

const text = fc
  .tuple(
    fc.array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 30 }),
    fc.constantFrom("", "\n"),
  )
  .map(([lines, end]) => lines.join("\n") + end);

it("writes a unified diff that a patch program applies", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { diff } = toLineDiff("f", before, after);
      return diff === "" ? before === after : applyPatch(before, diff) === after;
    }),
    { numRuns: 2_000 },
  );
});

it("counts whole lines", () => {
  expect(toLineDiff("f", "a\nb\nc\n", "a\nx\ny\nc\n")).toEqual({
    diff: "--- f\n+++ f\n@@ -1,3 +1,4 @@\n a\n-b\n+x\n+y\n c",
    additions: 2,
    deletions: 1,
  });
});

it("is cut at 20,000 characters, and counts the whole", () => {
  const { diff, additions } = toLineDiff("f", "", "line\n".repeat(10_000));
  expect(diff.length).toBeLessThanOrEqual(20_020);
  expect(diff.endsWith("\n… diff truncated")).toBe(true);
  expect(additions).toBe(10_000);
});

const lines = (mark: string): string =>
  Array.from({ length: 100_000 }, (_, index) => `${mark}${index}\n`).join("");

it("is done in a second for texts that have nothing in common", () => {
  const start = performance.now();
  expect(toLineDiff("f", lines("a"), lines("b"))).toMatchObject({
    additions: 100_000,
    deletions: 100_000,
  });
  expect(performance.now() - start).toBeLessThan(15_000);
});
