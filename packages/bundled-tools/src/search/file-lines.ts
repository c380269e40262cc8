import type { Pacer } from "../pacer.js";
import type { LineSource } from "./hunks.js";
import type { LineMatcher } from "./line-matcher.js";
import { findMatchEnd } from "./scan-file.js";

/** A longer line is shown in part, around what matches. */
const maxShownChars = 2_000;
const leadChars = 1_000;

/** What one character takes at most. */
const maxCharBytes = 4;
const lineFeed = 10;

/** Which lines are wanted, and why. */
export interface WantedLines {
  /** Numbers of matching lines, ascending. */
  readonly matches: readonly number[];
  /** How many more before and after each. */
  readonly contextLines: number;
  /** Where a long line is cut. */
  readonly matcher: LineMatcher;
  readonly pacer: Pacer;
}

/**
 * Reads lines of a file, as a search counts them: each ends in LF.
 *
 * @param chunks - The file in UTF-8, part by part.
 * @param wanted - Which lines.
 * @returns The lines; undefined for a binary file.
 */
export async function readLines(
  chunks: AsyncIterable<Buffer>,
  wanted: WantedLines,
): Promise<LineSource | undefined> {
  const { matches, contextLines, pacer } = wanted;
  const isMatch = new Set(matches);
  const last = (matches.at(-1) ?? 0) + contextLines;
  const texts = new Map<number, string>();
  let [number, next] = [1, 0];
  let parts: Buffer[] = [];
  const isWanted = (): boolean => {
    while ((matches[next] ?? Infinity) + contextLines < number) next += 1;
    return number >= (matches[next] ?? Infinity) - contextLines;
  };
  const end = async (): Promise<void> => {
    const line = Buffer.concat(parts);
    parts = [];
    const text = line.at(-1) === 13 ? line.subarray(0, -1) : line;
    if (isWanted()) texts.set(number, await toShown(text, isMatch.has(number), wanted));
  };
  for await (const chunk of chunks) {
    if (chunk.includes(0)) return undefined;
    for (let at = 0; at < chunk.length && number <= last;) {
      const feed = chunk.indexOf(lineFeed, at);
      // A copy: the memory of a part is used again for the next one.
      if (isWanted()) parts.push(Buffer.from(chunk.subarray(at, feed === -1 ? undefined : feed)));
      if (feed === -1) break;
      await end();
      number += 1;
      at = feed + 1;
      if (pacer.isDue()) await pacer.pause();
    }
    if (number > last) break;
  }
  // What follows the last line break is a line only if there is something.
  if (parts.length > 0) await end();
  return { lineCount: Math.max(0, ...texts.keys()), read: (line) => texts.get(line) ?? "" };
}

async function toShown(
  line: Buffer,
  isMatch: boolean,
  { matcher, pacer }: Pick<WantedLines, "matcher" | "pacer">,
): Promise<string> {
  if (line.length <= maxShownChars * maxCharBytes) {
    const text = line.toString("utf8");
    if (text.length <= maxShownChars) return text;
  }
  const search = { finder: matcher.createFinder(), pacer };
  const found = isMatch ? Math.max(0, await findMatchEnd(line, search)) : 0;
  const from = Math.max(0, found - leadChars * maxCharBytes);
  const before = line.toString("utf8", from, found).slice(-leadChars);
  const after = line
    .toString("utf8", found, found + maxShownChars * maxCharBytes)
    .slice(0, maxShownChars - before.length);
  // Half a character may be left over at both ends.
  const part = `${before}${after}`.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
  const isFirst = Buffer.byteLength(before) === found;
  const isLast = found + Buffer.byteLength(after) >= line.length;
  return `${isFirst ? "" : "… "}${part}${isLast ? "" : " …"} [part of a line of ${line.length} bytes]`;
}
