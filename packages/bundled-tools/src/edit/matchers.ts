import { toBlockSpan, type Lines, type Span, type Wanted } from "./block.js";
import { findWindows } from "./find-windows.js";
import { toLikeness } from "./likeness.js";

/** How a place was found, from exact to loose. */
export const matcherNames = [
  "exact",
  "line-trimmed",
  "block-anchor",
  "whitespace-normalised",
  "indentation-flexible",
  "context-aware",
] as const;

/** The name of a matcher, as an answer tells it. */
export type MatcherName = (typeof matcherNames)[number];

/** Finds every place that a caller may mean, ascending. */
export type Matcher = (lines: Lines, wanted: Wanted) => readonly Span[];

/** Matchers that look for the text itself, or for something like it; tried in this order after the exact one. */
export const looseMatchers: readonly (readonly [Exclude<MatcherName, "exact">, Matcher])[] = [
  ["line-trimmed", (lines, wanted) => findByLine(lines, wanted, (line) => line.trim())],
  ["block-anchor", findByAnchors],
  ["whitespace-normalised", findByWords],
  ["indentation-flexible", findByRelativeIndentation],
  ["context-aware", findByContext],
];

/** Every place where the text stands as it is, none overlapping the one before. */
export function findExact({ text }: Lines, wanted: Wanted): readonly Span[] {
  const found: Span[] = [];
  const { length } = wanted.text;
  for (let at = text.indexOf(wanted.text); at !== -1; at = text.indexOf(wanted.text, at + length))
    found.push({ start: at, end: at + length });
  return found;
}

function findByLine(
  lines: Lines,
  wanted: Wanted,
  toKey: (line: string) => string,
): readonly Span[] {
  const found = findWindows(lines.lines.map(toKey), wanted.lines.map(toKey));
  return found.map((from) =>
    toBlockSpan(lines, { from, to: from + wanted.lines.length }, wanted.endsLine),
  );
}

function toCollapsed(line: string): string {
  return line.trim().replace(/\s+/g, " ");
}

const maxPatternChars = 2_000;

/** Whole lines that differ in blanks only; for a single line also a part of a line. */
function findByWords(lines: Lines, wanted: Wanted): readonly Span[] {
  const whole = findByLine(lines, wanted, toCollapsed);
  const [only = ""] = wanted.lines;
  // A longer pattern is refused by the engine, or takes quadratic time.
  if (whole.length > 0 || wanted.lines.length > 1 || only.length > maxPatternChars) return whole;
  const words = only.trim().split(/\s+/);
  // No word holds a blank, so the pattern has one way to match, whatever the line.
  const pattern = new RegExp(words.map(toEscaped).join("\\s+"), "g");
  const collapsed = words.join(" ");
  return lines.lines.flatMap((line, index) =>
    // Told apart cheaply first: most lines have nothing of it.
    toCollapsed(line).includes(collapsed)
      ? Array.from(line.matchAll(pattern), (match): Span => {
          const start = (lines.starts[index] ?? 0) + match.index;
          return { start, end: start + match[0].length };
        })
      : [],
  );
}

function toEscaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

const maxComparedLines = 200_000;

/** Lines that are shifted as a whole: what is deeper than the others is so in both. */
function findByRelativeIndentation(lines: Lines, wanted: Wanted): readonly Span[] {
  const shape = toShifted(wanted.lines).join("\n");
  const found = findByLine(lines, wanted, (line) => line.trim());
  // So many places are not told apart by their indentation, and would take quadratic time.
  if (found.length * wanted.lines.length > maxComparedLines) return [];
  return found.filter(
    ({ block }) =>
      block !== undefined &&
      toShifted(lines.lines.slice(block.from, block.to)).join("\n") === shape,
  );
}

/** The lines without the indentation that all of them have. */
function toShifted(lines: readonly string[]): readonly string[] {
  const depths = lines.filter((line) => line.trim() !== "").map((line) => toIndent(line).length);
  const shared = depths.length === 0 ? 0 : depths.reduce((a, b) => Math.min(a, b));
  return lines.map((line) => (line.trim() === "" ? "" : line.slice(shared).trimEnd()));
}

/** The blanks that a line begins with. */
export function toIndent(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

const leastLikeness = 0.65;
/** A file that is all anchors is no place for guesses, and would cost a comparison for each. */
const maxBlocks = 1_000;

/** The block between the same first and last line, whose middle is most alike. */
function findByAnchors(lines: Lines, wanted: Wanted): readonly Span[] {
  const size = wanted.lines.length;
  const slack = Math.max(1, Math.floor(size * 0.25));
  const rated = findAnchored(lines, wanted)
    .filter(({ from, to }) => Math.abs(to - from - size) <= slack)
    .map((block) => ({ block, likeness: toBlockLikeness(lines, wanted, block) }))
    .filter(({ likeness }) => likeness >= leastLikeness);
  const best = rated.reduce((most, { likeness }) => Math.max(most, likeness), 0);
  return rated
    .filter(({ likeness }) => likeness === best)
    .map(({ block }) => toBlockSpan(lines, block, wanted.endsLine));
}

interface Block {
  readonly from: number;
  readonly to: number;
}

/** Blocks from a line like the first one to the next one like the last, at least three lines long. */
function findAnchored({ lines }: Lines, wanted: Wanted): readonly Block[] {
  const first = wanted.lines[0]?.trim() ?? "";
  const last = wanted.lines.at(-1)?.trim() ?? "";
  // A blank line says nothing about where it stands.
  if (wanted.lines.length < 3 || first === "" || last === "") return [];
  const trimmed = lines.map((line) => line.trim());
  const found: Block[] = [];
  let to = 0;
  for (const [from, line] of trimmed.entries()) {
    if (line !== first) continue;
    to = Math.max(to, from + 2);
    while (to < trimmed.length && trimmed[to] !== last) to += 1;
    if (to >= trimmed.length) break;
    found.push({ from, to: to + 1 });
    if (found.length > maxBlocks) return [];
  }
  return found;
}

function toBlockLikeness({ lines }: Lines, wanted: Wanted, { from, to }: Block): number {
  const middle = lines.slice(from + 1, to - 1);
  const wantedMiddle = wanted.lines.slice(1, -1);
  const pairs = Math.min(middle.length, wantedMiddle.length);
  if (pairs === 0) return 1;
  let sum = 0;
  for (let index = 0; index < pairs; index += 1)
    sum += toLikeness(middle[index]?.trim() ?? "", wantedMiddle[index]?.trim() ?? "");
  return sum / pairs;
}

/** Blocks of the same size between the same first and last line, half of whose other lines are the same. */
function findByContext(lines: Lines, wanted: Wanted): readonly Span[] {
  return findAnchored(lines, wanted)
    .filter(({ from, to }) => to - from === wanted.lines.length)
    .filter(({ from }) => {
      const middle = wanted.lines
        .slice(1, -1)
        .map((line, index) => [line.trim(), lines.lines[from + 1 + index]?.trim()] as const)
        .filter(([left, right]) => left !== "" || right !== "");
      const same = middle.filter(([left, right]) => left === right).length;
      return same * 2 >= middle.length;
    })
    .map((block) => toBlockSpan(lines, block, wanted.endsLine));
}
