import type { FileHandle } from "node:fs/promises";
import { TextDecoder } from "node:util";

/** A large file is read in such parts: none of them keeps the server busy for long. */
export const chunkBytes = 1024 * 1024;

/**
 * Reads a file as UTF-8, part by part.
 *
 * @param file - The file, at its beginning; it stays open.
 * @param size - What it is said to hold.
 * @yields Parts, good until the next one is asked for. None begins or ends within a character or between CR and LF;
 * a byte order mark is left out, and UTF-16 that begins with one is decoded.
 */
export async function* readChunks(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(Math.max(size, 4_096), chunkBytes) + maxHeld);
  let decoder: TextDecoder | undefined;
  let [held, isFirst] = [0, true];
  for (;;) {
    const { bytesRead } = await file.read(buffer, held, buffer.length - maxHeld, null);
    const end = held + bytesRead;
    const bytes = buffer.subarray(0, end);
    if (isFirst && isUtf16(bytes))
      decoder = new TextDecoder(bytes[0] === 0xff ? "utf-16le" : "utf-16be");
    if (decoder !== undefined) {
      yield Buffer.from(decoder.decode(bytes, { stream: bytesRead > 0 }), "utf8");
    } else {
      const stop = bytesRead > 0 ? end - countHeld(bytes) : end;
      yield bytes.subarray(isFirst ? countMark(bytes) : 0, stop);
      buffer.copy(buffer, 0, stop, end);
      held = end - stop;
    }
    isFirst = false;
    if (bytesRead === 0) return;
  }
}

/** Whether a byte order mark says that these bytes are UTF-16. */
export function isUtf16(bytes: Buffer): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

/** A whole file as UTF-8, without a byte order mark; for one that is not large. */
export function toUtf8(bytes: Buffer): Buffer {
  if (!isUtf16(bytes)) return bytes.subarray(countMark(bytes));
  const decoder = new TextDecoder(bytes[0] === 0xff ? "utf-16le" : "utf-16be");
  return Buffer.from(decoder.decode(bytes), "utf8");
}

function countMark(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

const maxHeld = 3;

/** How many bytes at the end may belong to what comes next. */
function countHeld(bytes: Buffer): number {
  if (bytes.at(-1) === 13) return 1;
  for (let back = 1; back <= maxHeld && back <= bytes.length; back += 1) {
    const byte = bytes.at(-back) ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4) ? back : 0;
  }
  return 0;
}
