import { constants, writeSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { fileErrors } from "./errors.js";
import { toWriteError } from "./to-file-error.js";

/** How to open a file for appending. */
export interface AppendFileOptions {
  /**
   * Whether each line waits for the disk; default false: the operating system has it then, so that it survives
   * our death, but not a power cut.
   */
  readonly durable?: boolean;
  /** The mode of a new file, within the umask; default 0o600. */
  readonly mode?: number;
}

/** How to append one line. */
export interface AppendOptions {
  /** Whether this line waits for the disk; default: as the file was opened. */
  readonly durable?: boolean;
}

/** A file of lines that only grows. */
export interface AppendFile extends AsyncDisposable {
  /** As it was opened. */
  readonly path: string;
  /**
   * Adds one line. All lines of one turn of the event loop are written at once, in order.
   *
   * @param line - Without its end; may hold no line break.
   * @returns Resolves when the operating system has it, or, when durable, the disk.
   * @throws {PosternError} `LINE_BREAK`, `FILE_CLOSED`, `FILE_UNWRITABLE`.
   */
  append(line: string, options?: AppendOptions): Promise<void>;
  /** Writes what waits and closes the file. May be called again. */
  close(): Promise<void>;
}

interface Waiting {
  readonly durable: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}
interface Line extends Waiting {
  readonly text: string;
}

const lineFeed = 0x0a;

/** Writes all bytes; a disk that fills up takes a part of them. */
function writeAll(file: number, bytes: Uint8Array, onWritten: (count: number) => void): void {
  for (let written = 0; written < bytes.length;) {
    written += writeSync(file, bytes, written);
    onWritten(written);
  }
}

/** Lets all who wait share one wait for the disk, which begins after their lines were written. */
function createDiskWait(handle: FileHandle, toError: (error: unknown) => unknown) {
  let next: Waiting[] = [];
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;
  const run = async (): Promise<void> => {
    while (next.length > 0) {
      const batch = next;
      next = [];
      try {
        await handle.datasync();
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(toError(error));
      }
    }
    isRunning = false;
  };
  return {
    add(waiting: readonly Waiting[]): void {
      next.push(...waiting);
      if (isRunning) return;
      isRunning = true;
      running = run();
    },
    settled: () => running,
  };
}

/** A line that a crash or a full disk cut short must not swallow the next one. */
async function hasTornEnd(handle: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== lineFeed;
}

async function openRegular(
  path: string,
  mode: number,
): Promise<{ handle: FileHandle; isTorn: boolean }> {
  const { O_RDWR, O_APPEND, O_CREAT, O_NONBLOCK } = constants;
  // O_NONBLOCK: opening a named pipe would wait for its reader.
  const handle = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK, mode);
  try {
    const stats = await handle.stat();
    if (!stats.isFile())
      throw fileErrors.FILE_UNWRITABLE({ path, reason: "it is not a regular file" });
    return { handle, isTorn: await hasTornEnd(handle, stats.size) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Opens a file of lines for appending, and creates it when missing.
 *
 * Several processes may append to one file on a local disk: the lines of one write stay together. When a crash or a
 * full disk cut a line short, the next one begins on a line of its own.
 *
 * @throws {PosternError} `FILE_UNWRITABLE`.
 */
export async function openAppendFile(
  path: string,
  options: AppendFileOptions = {},
): Promise<AppendFile> {
  const toError = (error: unknown): unknown => toWriteError(path, error);
  try {
    const { handle, isTorn } = await openRegular(path, options.mode ?? 0o600);
    return createAppendFile({ path, handle, isTorn, toError, durable: options.durable ?? false });
  } catch (error) {
    throw toError(error);
  }
}

interface Opened {
  readonly path: string;
  readonly handle: FileHandle;
  readonly isTorn: boolean;
  readonly durable: boolean;
  readonly toError: (error: unknown) => unknown;
}

function createAppendFile(opened: Opened): AppendFile {
  const { path, handle, toError } = opened;
  const disk = createDiskWait(handle, toError);
  let { isTorn } = opened;
  let waiting: Line[] = [];
  let closing: Promise<void> | undefined;

  const flush = (): void => {
    const batch = waiting;
    if (batch.length === 0) return;
    waiting = [];
    const text = (isTorn ? "\n" : "") + batch.map((line) => `${line.text}\n`).join("");
    const bytes = Buffer.from(text);
    try {
      writeAll(handle.fd, bytes, (written) => {
        isTorn = bytes[written - 1] !== lineFeed;
      });
    } catch (error) {
      for (const { reject } of batch) reject(toError(error));
      return;
    }
    for (const { durable, resolve } of batch) if (!durable) resolve();
    disk.add(batch.filter((line) => line.durable));
  };

  const close = async (): Promise<void> => {
    flush();
    await disk.settled();
    await handle.close();
  };

  return Object.freeze({
    path,
    append(text: string, { durable = opened.durable }: AppendOptions = {}) {
      if (closing !== undefined) return Promise.reject(fileErrors.FILE_CLOSED({ path }));
      if (text.includes("\n")) return Promise.reject(fileErrors.LINE_BREAK({ path }));
      return new Promise<void>((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ text, durable, resolve, reject });
      });
    },
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]: () => (closing ??= close()),
  });
}
