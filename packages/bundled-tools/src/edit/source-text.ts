import { isUtf8 } from "node:buffer";
import { bundledErrors } from "../errors.js";

/** How lines of a file end. */
export type LineEnding = "\n" | "\r\n" | "\r";

/** A text file as it is on the disk, beside the form in which text is looked for. */
export interface SourceText {
  /** As on the disk, without its byte order mark. */
  readonly raw: string;
  /** The same with LF at the end of every line. */
  readonly text: string;
  /** What most of its lines end with; LF when none does. */
  readonly ending: LineEnding;
  readonly hasBom: boolean;
  /** Turns an offset in `text` into one in `raw`. */
  toRawOffset(offset: number): number;
}

const mark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Reads bytes as text.
 *
 * @param bytes - The whole file.
 * @param path - For messages: as the caller gave it.
 * @throws {PosternError} `BINARY_FILE` for a NUL byte, `INVALID_UTF8`.
 */
export function readSource(bytes: Buffer, path: string): SourceText {
  if (bytes.includes(0)) throw bundledErrors.BINARY_FILE({ path });
  if (!isUtf8(bytes)) throw bundledErrors.INVALID_UTF8({ path });
  const hasBom = bytes.subarray(0, 3).equals(mark);
  return createSource(bytes.toString("utf8", hasBom ? 3 : 0), hasBom);
}

/** Makes the source of a text that is already decoded. */
export function createSource(raw: string, hasBom: boolean): SourceText {
  const ending = findEnding(raw);
  if (!raw.includes("\r"))
    return { raw, text: raw, ending, hasBom, toRawOffset: (offset) => offset };
  const breaks = findCrlf(raw);
  return {
    raw,
    text: toLf(raw),
    ending,
    hasBom,
    toRawOffset: (offset) => offset + countBelow(breaks, offset),
  };
}

/** The text with every CRLF and lone CR as LF. */
export function toLf(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

/** The text, whose lines end in LF, with another ending. */
export function toEnding(text: string, ending: LineEnding): string {
  return ending === "\n" ? text : text.replaceAll("\n", ending);
}

/** Whether UTF-8 can write the text: no half of a surrogate pair is in it. */
export function isWholeText(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** The text as bytes of a file. */
export function toBytes(raw: string, hasBom: boolean): Buffer {
  const bytes = Buffer.from(raw, "utf8");
  return hasBom ? Buffer.concat([mark, bytes]) : bytes;
}

/** What most lines end with. Equally many: what comes first in LF, CRLF, CR. */
export function findEnding(text: string): LineEnding {
  let crlf = 0;
  let cr = 0;
  let lf = 0;
  for (let at = text.indexOf("\r"); at !== -1; at = text.indexOf("\r", at + 1)) {
    if (text[at + 1] === "\n") crlf += 1;
    else cr += 1;
  }
  if (crlf + cr === 0) return "\n";
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lf += 1;
  lf -= crlf;
  if (lf >= crlf && lf >= cr) return "\n";
  return crlf >= cr ? "\r\n" : "\r";
}

/** Where, in the text with LF, the line breaks are that were CRLF; ascending. */
function findCrlf(raw: string): readonly number[] {
  const found: number[] = [];
  for (let at = raw.indexOf("\r\n"); at !== -1; at = raw.indexOf("\r\n", at + 2))
    found.push(at - found.length);
  return found;
}

function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
