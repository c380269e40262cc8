import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type { LineMatcher } from "./line-matcher.js";
import type { Pacer } from "../pacer.js";
import { maxFileBytes } from "./search-backend.js";

const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Kept for files that fit, so that most files cost no memory of their own. */
const shared = Buffer.allocUnsafe(1024 * 1024);

/**
 * Reads a file whole.
 *
 * @returns Its bytes, good until the next call; undefined for what is no file, too large or closed to us.
 */
export function readWhole(path: string): Buffer | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, flags);
  } catch {
    return undefined;
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > maxFileBytes) return undefined;
    const buffer = stats.size < shared.length ? shared : Buffer.allocUnsafe(stats.size + 1);
    let length = 0;
    for (;;) {
      const read = readSync(descriptor, buffer, length, buffer.length - length, null);
      length += read;
      // What says its size is read whole with the first read; others, as of /proc, say 0.
      if (read === 0 || length === buffer.length || length === stats.size)
        return buffer.subarray(0, length);
    }
  } catch {
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** The text of bytes that are UTF-16, which a byte order mark tells; undefined for others. */
export function readUtf16(bytes: Buffer): string | undefined {
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe;
  const isBig = bytes[0] === 0xfe && bytes[1] === 0xff;
  if (!isLittle && !isBig) return undefined;
  return new TextDecoder(isLittle ? "utf-16le" : "utf-16be").decode(bytes);
}

/** Which lines match. */
export interface ScanResult {
  readonly lines: readonly number[];
  readonly count: number;
}

/**
 * Tells at a glance that nothing in a file can match, as of most files.
 *
 * @returns False when it has to be scanned.
 */
export function isHopeless(bytes: Buffer, { literal }: LineMatcher): boolean {
  if (literal === undefined || bytes.includes(literal)) return false;
  return bytes.length < 2 || (bytes[0] !== 0xff && bytes[0] !== 0xfe);
}

const none: ScanResult = Object.freeze({ lines: Object.freeze([]), count: 0 });
const lineFeed = 10;
const carriageReturn = 13;

/**
 * Finds the lines of a file that match. Gives way to others in between.
 *
 * @param bytes - The file. A copy is made before others get their turn.
 * @param matcher - What is looked for.
 * @param options - How many line numbers to keep, and the pacer.
 */
export async function scanBytes(
  bytes: Buffer,
  matcher: LineMatcher,
  { maxLines, pacer }: { readonly maxLines: number; readonly pacer: Pacer },
): Promise<ScanResult> {
  const { literal } = matcher;
  const utf16 = readUtf16(bytes);
  let buffer = utf16 === undefined ? bytes : Buffer.from(utf16, "utf8");
  const start = buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf ? 3 : 0;
  const lines: number[] = [];
  let count = 0;
  let number = 1;
  let counted = start;
  for (let at = start; at < buffer.length;) {
    const hit = literal === undefined ? at : buffer.indexOf(literal, at);
    if (hit === -1) break;
    // Forward to the line of the hit, counting.
    let end = buffer.indexOf(lineFeed, counted);
    while (end !== -1 && end < hit) {
      number += 1;
      counted = end + 1;
      end = buffer.indexOf(lineFeed, counted);
    }
    const stop = end === -1 ? buffer.length : end;
    if (isMatch(buffer.subarray(counted, stop), matcher)) {
      count += 1;
      if (lines.length < maxLines) lines.push(number);
    }
    number += 1;
    counted = stop + 1;
    at = counted;
    if (pacer.isDue()) {
      // The next file is read into the same memory.
      if (buffer.buffer === shared.buffer) buffer = Buffer.from(buffer);
      await pacer.pause();
    }
  }
  return count > 0 && buffer.includes(0) ? none : { lines, count };
}

function isMatch(line: Buffer, matcher: LineMatcher): boolean {
  if (matcher.isLiteral) return true;
  const length = line.at(-1) === carriageReturn ? line.length - 1 : line.length;
  return matcher.find(line.toString("utf8", 0, length)) !== -1;
}
