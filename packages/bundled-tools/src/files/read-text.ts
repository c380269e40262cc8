import { isUtf8 } from "node:buffer";
import type { FileHandle } from "node:fs/promises";
import { bundledErrors } from "../errors.js";

const chunkBytes = 512 * 1024;

/** The first page of most files comes with this. */
const firstChunkBytes = 64 * 1024;

/** What reads a file's text piece by piece. */
export interface TextVisitor {
  /** The path as the caller gave it, for errors. */
  readonly path: string;
  /** Stops the reading. */
  readonly signal: AbortSignal;
  /**
   * Gets bytes that hold whole characters, valid only during the call, and where in the file they begin; true means
   * enough.
   */
  visit(chunk: Buffer, position: number): boolean;
  /** Where to begin, at a whole character; default: the beginning of the file. */
  readonly start?: number;
}

/** How the reading of a text ended. */
export interface TextEnd {
  /** Whether the file begins with a byte order mark; it is not part of the text. */
  readonly hasBom: boolean;
  /** Whether the end of the file was reached. */
  readonly isComplete: boolean;
}

/**
 * Reads a file as UTF-8, in one fixed buffer, until the visitor has enough.
 *
 * @param file - The file.
 * @param visitor - Gets the text.
 * @returns How it ended.
 * @throws {PosternError} `BINARY_FILE` for a NUL byte and `INVALID_UTF8`, in what was read; `CANCELLED`.
 */
export async function readText(file: FileHandle, visitor: TextVisitor): Promise<TextEnd> {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  let hasBom = false;
  let kept = 0;
  for (let position = visitor.start ?? 0; ;) {
    if (visitor.signal.aborted) throw bundledErrors.CANCELLED();
    const isFirst = position === (visitor.start ?? 0);
    const wantedBytes = isFirst ? firstChunkBytes : chunkBytes - kept;
    const { bytesRead } = await file.read(buffer, kept, wantedBytes, position);
    const end = kept + bytesRead;
    const whole = bytesRead === 0 ? end : findWholeEnd(buffer, end);
    if (position === 0) hasBom = isBom(buffer.subarray(0, end));
    const skipped = position === 0 && hasBom ? 3 : 0;
    const chunk = buffer.subarray(skipped, whole);
    assertText(chunk, visitor.path);
    if (visitor.visit(chunk, position - kept + skipped)) return { hasBom, isComplete: false };
    if (bytesRead === 0) return { hasBom, isComplete: true };
    buffer.copyWithin(0, whole, end);
    kept = end - whole;
    position += bytesRead;
  }
}

function isBom(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function assertText(chunk: Buffer, path: string): void {
  if (chunk.includes(0)) throw bundledErrors.BINARY_FILE({ path });
  if (!isUtf8(chunk)) throw bundledErrors.INVALID_UTF8({ path });
}

/** Where the last whole character ends, so that none is cut in two by the end of a chunk. */
function findWholeEnd(bytes: Buffer, end: number): number {
  for (let back = 1; back <= 3 && back <= end; back += 1) {
    const byte = bytes[end - back] ?? 0;
    if (byte < 0x80) return end;
    if (byte >= 0xc0) return back < toLength(byte) ? end - back : end;
  }
  return end;
}

/** How many bytes the character has that begins with this byte. */
function toLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}
