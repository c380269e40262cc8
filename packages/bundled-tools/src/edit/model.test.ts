import { isPosternError } from "@postern/errors";
import { fc } from "@postern/test-kit";
import { expect, it } from "vitest";
import { applyEdits } from "./apply-edits.js";
import { toWanted, type Span } from "./block.js";
import { findSpans } from "./find-spans.js";
import { createSource, toLf, type SourceText } from "./source-text.js";

const word = fc.constantFrom("a", "b", "foo", "  ", "\t", "é", "😀", "x = 1;", "{", "}", "", " ");
const ending = fc.constantFrom("\n", "\r\n", "\r", "\n", "\n");
const line = fc
  .tuple(fc.array(word, { maxLength: 4 }), ending)
  .map(([words, end]) => words.join("") + end);
const file = fc
  .tuple(fc.array(line, { maxLength: 25 }), fc.array(word, { maxLength: 2 }))
  .map(([lines, last]) => lines.join("") + last.join(""));
const insert = fc
  .array(fc.oneof(word, fc.constant("\n"), fc.constant("\r\n")), { maxLength: 6 })
  .map((parts) => parts.join(""));

/** Half of the texts to replace are cut out of the file itself. */
const edit = fc.record({
  from: fc.nat(400),
  length: fc.nat(30),
  isForeign: fc.boolean(),
  foreign: insert,
  fresh: insert,
  replaceAll: fc.boolean(),
});

function toOld(
  text: string,
  {
    from,
    length,
    isForeign,
    foreign,
  }: { from: number; length: number; isForeign: boolean; foreign: string },
): string {
  const start = from % (text.length + 1);
  return isForeign ? foreign : text.slice(start, start + length);
}

function countPlaces(text: string, old: string): number {
  let count = 0;
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + 1)) count += 1;
  return count;
}

it("does what splicing the text would, in 10,000 random edits, and touches no other byte", () => {
  const matchers = new Map<string, number>();
  fc.assert(
    fc.property(file, edit, (raw, chosen) => {
      const source = createSource(raw, false);
      const old = toLf(toOld(source.text, chosen));
      const fresh = toLf(chosen.fresh);
      const { replaceAll } = chosen;
      const outcome = applyEdits(source, [{ oldString: old, newString: fresh, replaceAll }], "f");
      if (isPosternError(outcome)) {
        matchers.set(outcome.code, (matchers.get(outcome.code) ?? 0) + 1);
        const places = old === "" ? 0 : countPlaces(source.text, old);
        return old === "" || old === fresh || places === 0 || (places > 1 && !replaceAll);
      }
      const [matcher = ""] = outcome.matchers;
      matchers.set(matcher, (matchers.get(matcher) ?? 0) + 1);
      const result = toLf(outcome.raw);
      const spliced = replaceAll
        ? source.text.replaceAll(old, () => fresh)
        : source.text.replace(old, () => fresh);
      expect(matcher !== "exact" || result === spliced).toBe(true);
      const found = findSpans(source.text, { wanted: toWanted(old), replaceAll, path: "f" });
      expectSurroundingsKept(source, outcome.raw, "spans" in found ? found.spans : []);
      return true;
    }),
    { numRuns: 10_000, seed: 20_261_201 },
  );
  // A run that only ever refused would prove nothing.
  expect(matchers.get("exact")).toBeGreaterThan(2_000);
  expect(matchers.get("line-trimmed")).toBeGreaterThan(20);
  expect(matchers.get("EDIT_AMBIGUOUS")).toBeGreaterThan(200);
});

/** What lies before, between and after the replaced places is there as it was, byte for byte. */
function expectSurroundingsKept(before: SourceText, after: string, spans: readonly Span[]): void {
  const kept: string[] = [];
  let from = 0;
  for (const { start, end } of spans) {
    kept.push(before.raw.slice(from, before.toRawOffset(start)));
    from = before.toRawOffset(end);
  }
  kept.push(before.raw.slice(from));
  expect(after.startsWith(kept[0] ?? "")).toBe(true);
  expect(after.endsWith(kept.at(-1) ?? "")).toBe(true);
  let at = 0;
  for (const part of kept) {
    at = after.indexOf(part, at);
    expect(at).toBeGreaterThanOrEqual(0);
    at += part.length;
  }
}
