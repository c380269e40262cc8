import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { fileErrors } from "./errors.js";
import { toReason } from "./to-reason.js";

/** How much to read. */
export interface ReadFileOptions {
  /** A longer file is refused; default 64 MiB. */
  readonly maxBytes?: number;
}

async function readText(handle: FileHandle, maxBytes: number): Promise<string> {
  const { size, isFile } = await handle.stat().then((stats) => ({
    size: stats.size,
    isFile: stats.isFile(),
  }));
  if (!isFile) throw new TypeError("it is not a regular file");
  if (size > maxBytes) throw new RangeError(`it is longer than ${maxBytes} bytes`);
  const bytes = await handle.readFile();
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new TypeError("it is not UTF-8 text");
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
      return await readText(handle, options.maxBytes ?? 64 << 20);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw fileErrors.FILE_UNREADABLE({ path, reason: toReason(error) }, { cause: error });
  }
}
