import type { Pacer } from "../pacer.js";
import type { LineFinder } from "./line-matcher.js";
import { isUtf16, toUtf8 } from "./read-chunks.js";

/** Which lines match. */
export interface ScanResult {
  readonly lines: readonly number[];
  readonly count: number;
}

/** How to scan. */
export interface Scan {
  readonly finder: LineFinder;
  readonly pacer: Pacer;
  /** So many line numbers are kept. */
  readonly maxLines: number;
}

const none: ScanResult = Object.freeze({ lines: Object.freeze([]), count: 0 });
const lineFeed = 10;

/** How much is looked through between two looks at the clock. */
const sliceBytes = 256 * 1024;

/** Bytes that are looked through in well under a millisecond. */
const maxGlance = 64 * 1024;

/**
 * Tells at a glance that nothing in a file can match, as of most files.
 *
 * @returns False when it has to be scanned.
 */
export function isHopeless(bytes: Buffer, { literal, scanner }: LineFinder): boolean {
  if (isUtf16(bytes)) return false;
  if (literal !== undefined) return !bytes.includes(literal);
  // A byte order mark is not part of the first line.
  if (bytes.length > maxGlance || bytes[0] === 0xef) return false;
  scanner.reset();
  if (scanner.scan(bytes, 0, bytes.length) !== -1 || scanner.at < bytes.length) return false;
  return bytes.length === 0 || bytes.at(-1) === lineFeed || !scanner.matchesAtEnd();
}

/**
 * Finds the lines of a file that match. Gives way to others in between.
 *
 * @param bytes - The file, whole, in memory that others use too: a copy is made.
 * @param scan - What is looked for.
 */
export async function scanBytes(bytes: Buffer, scan: Scan): Promise<ScanResult> {
  const { literal, isLiteral } = scan.finder;
  const buffer = Buffer.from(toUtf8(bytes));
  if (literal === undefined) return scanChunks([buffer], scan);
  if (buffer.includes(0)) return none;
  const lines = new LineCounter(scan);
  for (let hit = buffer.indexOf(literal); hit !== -1;) {
    const start = buffer.lastIndexOf(lineFeed, hit) + 1;
    const feed = buffer.indexOf(lineFeed, hit);
    const end = feed === -1 ? buffer.length : feed + 1;
    lines.count(buffer, start);
    if (isLiteral || (await findMatchEnd(buffer.subarray(start, end), scan)) !== -1) lines.note();
    if (scan.pacer.isDue()) await scan.pacer.pause();
    hit = end < buffer.length ? buffer.indexOf(literal, end) : -1;
  }
  return lines.toResult();
}

/**
 * Finds the lines that match, as parts of a file come in.
 *
 * @param chunks - UTF-8, which never breaks within a character or between CR and LF.
 * @param scan - What is looked for.
 */
export async function scanChunks(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  scan: Scan,
): Promise<ScanResult> {
  const { finder, pacer } = scan;
  const { scanner } = finder;
  const lines = new LineCounter(scan);
  scanner.reset();
  let [isInLine, isFound] = [false, false];
  for await (const chunk of chunks) {
    if (chunk.includes(0)) return none;
    for (let at = 0; at < chunk.length;) {
      // The rest of a line that matched is of no interest.
      const from = isFound ? chunk.indexOf(lineFeed, at) + 1 : at;
      if (isFound && from === 0) break;
      isFound = false;
      const found = scanner.scan(chunk, from, Math.min(chunk.length, from + sliceBytes));
      at = found === -1 ? scanner.at : found;
      // Where a match ends at its line's end, that one counts as not come yet.
      lines.count(chunk, at);
      if (found !== -1) {
        lines.note();
        isFound = true;
      }
      if (pacer.isDue()) await pacer.pause();
    }
    lines.count(chunk, chunk.length);
    lines.endChunk();
    if (chunk.length > 0) isInLine = chunk.at(-1) !== lineFeed;
  }
  if (isInLine && !isFound && scanner.matchesAtEnd()) lines.note();
  return lines.toResult();
}

/**
 * Finds where the first match in a line ends.
 *
 * @param line - UTF-8, with its line break or without.
 * @param search - What is looked for.
 * @returns -1 when there is none.
 */
export async function findMatchEnd(
  line: Buffer,
  { finder: { scanner }, pacer }: Pick<Scan, "finder" | "pacer">,
): Promise<number> {
  scanner.reset();
  for (let at = 0; at < line.length; at = scanner.at) {
    const found = scanner.scan(line, at, Math.min(line.length, at + sliceBytes));
    if (found !== -1) return found;
    if (pacer.isDue()) await pacer.pause();
  }
  return line.at(-1) !== lineFeed && scanner.matchesAtEnd() ? line.length : -1;
}

/** Counts lines up to where something was found. */
class LineCounter {
  readonly #lines: number[] = [];
  readonly #maxLines: number;
  #count = 0;
  /** Line breaks that were passed. */
  #passed = 0;
  #at = 0;

  constructor({ maxLines }: Pick<Scan, "maxLines">) {
    this.#maxLines = maxLines;
  }

  /** Goes on to a place in the same part of the file. */
  count(buffer: Buffer, to: number): void {
    let passed = this.#passed;
    for (let at = this.#at; at < to; at += 1) if (buffer[at] === lineFeed) passed += 1;
    this.#passed = passed;
    this.#at = Math.max(this.#at, to);
  }

  endChunk(): void {
    this.#at = 0;
  }

  /** The line that has been come to matches. */
  note(): void {
    this.#count += 1;
    if (this.#lines.length < this.#maxLines) this.#lines.push(this.#passed + 1);
  }

  toResult(): ScanResult {
    return { lines: this.#lines, count: this.#count };
  }
}
