import type { PosternError } from "@postern/errors";
import type { Pacer } from "../pacer.js";
import { toLines, type Lines, type Span, type Wanted } from "./block.js";
import { editErrors } from "./errors.js";
import { findText } from "./find-text.js";
import { looseMatchers, type MatcherName } from "./matchers.js";

/** Where an edit applies, and how that was found. */
export interface Found {
  readonly matcher: MatcherName;
  /** Ascending, none overlapping another. */
  readonly spans: Iterable<Span>;
  /** The text in lines, for places that were found loosely. */
  readonly lines?: Lines;
}

/** What decides where an edit applies. */
export interface Search {
  readonly wanted: Wanted;
  /** Every place is meant, and not one. */
  readonly replaceAll: boolean;
  /** For messages. */
  readonly path: string;
  /** What the caller calls the text that is looked for; for messages. */
  readonly name: string;
  readonly pacer: Pacer;
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
export async function findSpans(text: string, search: Search): Promise<Found | PosternError> {
  const { wanted, replaceAll } = search;
  // Copies that overlap are two places as well.
  const probe = findText(text, wanted.text, true);
  const [first, second] = [probe.next().value, probe.next().value];
  if (first !== undefined)
    return second === undefined || replaceAll
      ? { matcher: "exact", spans: findExact(text, wanted) }
      : toAmbiguous(text, findExact(text, wanted), search);
  const isBlank = wanted.text.trim() === "";
  if (isBlank || hasMoreLines(text, maxLooseLines)) return toMissing(text, search);
  return findLoosely(toLines(text), search);
}

/** Every place where the text stands as it is. */
function* findExact(text: string, wanted: Wanted): Generator<Span> {
  const { length } = wanted.text;
  for (const start of findText(text, wanted.text)) yield { start, end: start + length };
}

async function findLoosely(lines: Lines, search: Search): Promise<Found | PosternError> {
  const { wanted, replaceAll, pacer } = search;
  let candidates: readonly Span[] | undefined;
  for (const [matcher, find] of looseMatchers) {
    await pacer.pause();
    const known = candidates && new Set(candidates.map(toKey));
    const spans = find(lines, wanted).filter(
      (span) => isUsable(lines, span, wanted) && (known?.has(toKey(span)) ?? true),
    );
    if (spans.length === 0) continue;
    if (replaceAll) return { matcher, spans: withoutOverlaps(spans), lines };
    if (spans.length === 1) return { matcher, spans, lines };
    candidates = spans;
  }
  return candidates === undefined
    ? toMissing(lines.text, search)
    : toAmbiguous(lines.text, candidates, search);
}

const toKey = ({ start, end }: Span): string => `${start} ${end}`;

function withoutOverlaps(spans: readonly Span[]): readonly Span[] {
  let end = -1;
  return spans.filter((span) => {
    if (span.start < end) return false;
    end = span.end;
    return true;
  });
}

/** A guess that takes in blanks only, or far more than was looked for, is none. */
function isUsable({ text }: Lines, { start, end, block }: Span, wanted: Wanted): boolean {
  const size = block === undefined ? 1 : block.to - block.from;
  const wantedSize = wanted.lines.length;
  if (size >= Math.max(wantedSize + 3, 2 * wantedSize)) return false;
  const { length } = wanted.text.trim();
  if (wantedSize > 1 && end - start > Math.max(length + 500, 4 * length)) {
    const found = text.slice(start, end).trim();
    return found.length <= Math.max(length + 500, 4 * length);
  }
  return /\S/.test(text.slice(start, end));
}

function toAmbiguous(
  text: string,
  spans: Iterable<Span>,
  { path, name }: Search,
): PosternError {
  const lines: number[] = [];
  let [count, from, line] = [0, 0, 1];
  for (const { start } of spans) {
    count += 1;
    if (lines.length >= maxShownLines) continue;
    line += countBreaks(text, from, start);
    from = start;
    lines.push(line);
  }
  // Overlapping copies count as one here and as two there; never say one.
  return editErrors.EDIT_AMBIGUOUS({ path, name, count: Math.max(count, 2), lines });
}

function countBreaks(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1))
    count += 1;
  return count;
}

function hasMoreLines(text: string, limit: number): boolean {
  let count = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1))
    if ((count += 1) > limit) return true;
  return false;
}

/** Names the line that is most likely meant, where one begins as the text does. */
function toMissing(text: string, { wanted, path, name }: Search): PosternError {
  const first = wanted.lines.find((line) => line.trim() !== "")?.trim() ?? "";
  let line = 0;
  if (first !== "" && !hasMoreLines(text, maxLooseLines))
    line = 1 + text.split("\n").findIndex((each) => each.trim() === first);
  const hint = line === 0 ? "" : `Its first line stands at line ${line}, what follows differs. `;
  return editErrors.EDIT_NO_MATCH({ path, name, hint });
}
