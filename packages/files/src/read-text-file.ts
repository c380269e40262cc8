import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import type { PosternError } from "@postern/errors";
import { fileErrors } from "./errors.js";
import { toReadError } from "./to-file-error.js";

/** How much to read. */
export interface ReadFileOptions {
  /** A longer file is refused; default 64 MiB. */
  readonly maxBytes?: number;
}

interface Opened {
  readonly path: string;
  readonly handle: FileHandle;
  readonly maxBytes: number;
}

async function readText({ path, handle, maxBytes }: Opened): Promise<string> {
  const toError = (reason: string): PosternError => fileErrors.FILE_UNREADABLE({ path, reason });
  const stats = await handle.stat();
  if (!stats.isFile()) throw toError("it is not a regular file");
  if (stats.size > maxBytes) throw toError(`it is longer than ${maxBytes} bytes`);
  const bytes = await handle.readFile();
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw toError("it is not UTF-8 text");
  }
}

/**
 * Reads a text. A byte order mark is part of it.
 *
 * @returns Undefined when there is no such file.
 * @throws {PosternError} `FILE_UNREADABLE`: not permitted, not a regular file, not UTF-8, or too long.
 */
export async function readTextFile(
  path: string,
  options: ReadFileOptions = {},
): Promise<string | undefined> {
  try {
    // O_NONBLOCK: opening a named pipe would wait for its writer.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return await readText({ path, handle, maxBytes: options.maxBytes ?? 64 << 20 });
    } finally {
      await handle.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw toReadError(path, error);
  }
}
