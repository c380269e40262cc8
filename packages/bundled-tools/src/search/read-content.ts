import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { maxFileBytes } from "./search-backend.js";

/** Never follows a link, and never waits for the other end of a pipe. */
export const openFlags =
  constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Kept for all files that fit, so that none of them costs memory of its own. */
const shared = Buffer.allocUnsafe(1024 * 1024);

/** Why nothing was read: it is not to be searched, is closed to us, or too large to be read in one go. */
export type Unread = "skipped" | "unreadable" | "large";

/**
 * Reads a file whole.
 *
 * @param path - The file.
 * @returns Its bytes, good until the next call of anybody; or why there are none.
 */
export function readContent(path: string): Buffer | Unread {
  let descriptor: number;
  try {
    descriptor = openSync(path, openFlags);
  } catch (error) {
    return toUnread(error);
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > maxFileBytes) return "skipped";
    return stats.size < shared.length ? readSmall(descriptor, stats.size) : "large";
  } catch {
    return "unreadable";
  } finally {
    closeSync(descriptor);
  }
}

/** One that is gone, or a link by now, is none of the files that were found. */
export function toUnread(error: unknown): "skipped" | "unreadable" {
  const code = error instanceof Error && "code" in error ? error.code : "";
  return code === "ENOENT" || code === "ELOOP" || code === "ENOTDIR" || code === "ENXIO"
    ? "skipped"
    : "unreadable";
}

function readSmall(descriptor: number, size: number): Buffer {
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, shared, length, shared.length - length, null);
    length += read;
    // What says its size is read whole with the first read; others, as of /proc, say 0.
    if (read === 0 || length === shared.length || length === size)
      return shared.subarray(0, length);
  }
}
