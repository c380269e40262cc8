import type { Pacer } from "../pacer.js";
import type { Span } from "./block.js";
import { createRegionList, type Region } from "./regions.js";
import { toEnding, type SourceText } from "./source-text.js";

/** A text after places in it were replaced. */
export interface Replaced {
  /** As it goes to the disk. */
  readonly raw: string;
  readonly count: number;
  /** What changed, in the text with LF. */
  readonly regions: readonly Region[];
}

/** How places are replaced. */
export interface Replacement {
  /** What comes in place of one; with LF. */
  toNew(span: Span): string;
  readonly pacer: Pacer;
  /** A longer text is not made. */
  readonly maxChars: number;
}

/**
 * Replaces places of a text. Outside of them not a byte changes, whatever the lines end with there.
 *
 * @param source - The text.
 * @param spans - The places, ascending.
 * @param replacement - What comes there.
 * @returns The new text; undefined when it would be too long.
 */
export async function replaceSpans(
  source: SourceText,
  spans: Iterable<Span>,
  { toNew, pacer, maxChars }: Replacement,
): Promise<Replaced | undefined> {
  const written = createWriter();
  const changes = createRegionList(source.text);
  let [done, count] = [0, 0];
  for (const span of spans) {
    const change = toSmallest(source.text, span, toNew(span));
    const start = source.toRawOffset(change.start);
    const end = source.toRawOffset(change.end);
    written.add(source.raw.slice(done, start));
    const fresh = toEnding(change.text, source.ending);
    written.add(toJoined(fresh, written.lastCharacter(), source.raw[end] ?? ""));
    changes.add(change.start, change.end, change.text.length);
    done = end;
    count += 1;
    if (written.length() > maxChars) return undefined;
    if (pacer.isDue()) await pacer.pause();
  }
  written.add(source.raw.slice(done));
  if (written.length() > maxChars) return undefined;
  return { raw: written.text(), count, regions: changes.regions };
}

/** Leaves out what is the same at both ends, so that those lines keep the endings they have. */
function toSmallest(
  text: string,
  { start, end }: Span,
  replacement: string,
): { readonly start: number; readonly end: number; readonly text: string } {
  const limit = Math.min(end - start, replacement.length);
  let head = 0;
  while (head < limit && text[start + head] === replacement[head]) head += 1;
  let tail = 0;
  while (tail < limit - head && text[end - 1 - tail] === replacement[replacement.length - 1 - tail])
    tail += 1;
  return {
    start: start + head,
    end: end - tail,
    text: replacement.slice(head, replacement.length - tail),
  };
}

/** A CR that comes to stand before an LF would make one line break of two. */
function toJoined(text: string, before: string, after: string): string {
  const opened = before === "\r" && text.startsWith("\n") ? `\r${text}` : text;
  const last = opened.at(-1) ?? before;
  return last === "\r" && after === "\n" ? `${opened}\n` : opened;
}

interface Writer {
  add(part: string): void;
  lastCharacter(): string;
  length(): number;
  text(): string;
}

/** Joined now and then, so that millions of short parts do not pile up. */
const maxParts = 16_384;

function createWriter(): Writer {
  const joined: string[] = [];
  let parts: string[] = [];
  let [last, length] = ["", 0];
  return {
    add(part) {
      if (part === "") return;
      last = part.at(-1) ?? last;
      length += part.length;
      parts.push(part);
      if (parts.length < maxParts) return;
      joined.push(parts.join(""));
      parts = [];
    },
    lastCharacter: () => last,
    length: () => length,
    text: () => joined.join("") + parts.join(""),
  };
}
