import type { PosternError } from "@postern/errors";
import { toLines, type Lines, type Span, type Wanted } from "./block.js";
import { editErrors } from "./errors.js";
import { findExact, looseMatchers, type MatcherName } from "./matchers.js";

/** Where an edit applies, and how that was found. */
export interface Found {
  readonly matcher: MatcherName;
  /** Ascending, none overlapping another. */
  readonly spans: readonly Span[];
  readonly lines: Lines;
}

/** What decides where an edit applies. */
export interface Search {
  readonly wanted: Wanted;
  /** Every place is meant, and not one. */
  readonly replaceAll: boolean;
  /** For messages. */
  readonly path: string;
}

/** In a longer file only the text itself is looked for. */
const maxLooseLines = 20_000;
const maxShownLines = 10;

/**
 * Finds where an edit applies: exactly, else by the first of the looser matchers that finds something. Several places
 * are an error, unless all are meant: a looser matcher may only choose among them, never go elsewhere.
 *
 * @param text - The file, with LF.
 * @param search - What is looked for.
 * @returns The places, or `EDIT_NO_MATCH` or `EDIT_AMBIGUOUS`.
 */
export function findSpans(text: string, search: Search): Found | PosternError {
  const lines = toLines(text);
  const { wanted, replaceAll } = search;
  const exact = findExact(lines, wanted);
  if (exact.length > 0) {
    // Copies that overlap are two places as well.
    const isOne = text.indexOf(wanted.text) === text.lastIndexOf(wanted.text);
    return isOne || replaceAll
      ? { matcher: "exact", spans: exact, lines }
      : toAmbiguous(lines, exact, search);
  }
  const isBlank = wanted.text.trim() === "";
  if (isBlank || lines.lines.length > maxLooseLines) return toMissing(lines, search);
  return findLoosely(lines, search);
}

function findLoosely(lines: Lines, search: Search): Found | PosternError {
  let candidates: readonly Span[] | undefined;
  for (const [matcher, find] of looseMatchers) {
    const spans = find(lines, search.wanted).filter(
      (span) => isUsable(lines, span, search.wanted) && (candidates?.some(isSame(span)) ?? true),
    );
    if (spans.length === 0) continue;
    if (search.replaceAll) return { matcher, spans: withoutOverlaps(spans), lines };
    if (spans.length === 1) return { matcher, spans, lines };
    candidates = spans;
  }
  return candidates === undefined
    ? toMissing(lines, search)
    : toAmbiguous(lines, candidates, search);
}

const isSame =
  (span: Span) =>
  ({ start, end }: Span): boolean =>
    start === span.start && end === span.end;

function withoutOverlaps(spans: readonly Span[]): readonly Span[] {
  let end = -1;
  return spans.filter((span) => {
    if (span.start < end) return false;
    end = span.end;
    return true;
  });
}

/** A guess that takes in blanks only, or far more than was looked for, is none. */
function isUsable({ text }: Lines, { start, end }: Span, wanted: Wanted): boolean {
  const found = text.slice(start, end).trim();
  if (found === "") return false;
  const size = found.split("\n").length;
  const wantedSize = wanted.lines.length;
  if (size >= Math.max(wantedSize + 3, 2 * wantedSize)) return false;
  const { length } = wanted.text.trim();
  return wantedSize === 1 || found.length <= Math.max(length + 500, 4 * length);
}

function toAmbiguous(lines: Lines, spans: readonly Span[], { path }: Search): PosternError {
  const shown = spans.slice(0, maxShownLines).map(({ start }) => toLineNumber(lines, start));
  // Overlapping copies count as one here and as two there; never say one.
  return editErrors.EDIT_AMBIGUOUS({ path, count: Math.max(spans.length, 2), lines: shown });
}

function toLineNumber({ starts }: Lines, offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Names the line that is most likely meant, where one begins as the text does. */
function toMissing(lines: Lines, { wanted, path }: Search): PosternError {
  const first = wanted.lines.find((line) => line.trim() !== "")?.trim() ?? "";
  const at = first === "" ? -1 : lines.lines.findIndex((line) => line.trim() === first);
  const hint = at === -1 ? "" : `Its first line stands at line ${at + 1}, what follows differs. `;
  return editErrors.EDIT_NO_MATCH({ path, hint });
}
