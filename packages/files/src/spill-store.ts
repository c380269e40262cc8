import { randomBytes } from "node:crypto";
import { open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileErrors } from "./errors.js";
import { ensurePrivateDirectory } from "./private-directory.js";
import { toWriteError } from "./to-file-error.js";

/** What a spill folder may hold. */
export interface SpillLimits {
  /** How many files; default 1,000. */
  readonly maxFiles?: number;
  /** How many bytes in all files together; default 256 MiB. */
  readonly maxBytes?: number;
  /** How old a file may grow; default 7 days. */
  readonly maxAgeMs?: number;
  /** The time in milliseconds since 1970; default `Date.now`. */
  readonly now?: () => number;
}

/** One stored output. */
export interface Spill {
  /** Where it is. */
  readonly path: string;
  /** How long it is. */
  readonly bytes: number;
}

/** Keeps outputs that are too long to show, for a while. */
export interface SpillStore {
  /**
   * Stores one output, readable only by this user. Then the oldest go until all limits hold.
   *
   * @throws {PosternError} `SPILL_TOO_LARGE`, `NOT_PRIVATE`, `FILE_UNWRITABLE`.
   */
  write(data: string | Uint8Array): Promise<Spill>;
  /** Deletes what is over the limits by now, without writing. Do it at start: time passes while nobody runs. */
  deleteExpired(): Promise<void>;
}

type Limits = Required<SpillLimits>;

interface Stored {
  readonly name: string;
  readonly timeMs: number;
  readonly bytes: number;
}

/** Time and size stand in the name, so that keeping the limits costs one look at the folder. */
function parseName(name: string): Stored | undefined {
  const [, timeMs, bytes] = /^spill-(\d{1,15})-(\d{1,15})-[\da-f]{16}\.txt$/.exec(name) ?? [];
  if (timeMs === undefined || bytes === undefined) return undefined;
  return { name, timeMs: Number(timeMs), bytes: Number(bytes) };
}

/** Finds what has to go: from the newest on, whatever is too old or does not fit any more. */
function findExpired(newestFirst: readonly Stored[], limits: Limits): readonly Stored[] {
  const oldestMs = limits.now() - limits.maxAgeMs;
  let files = 0;
  let bytes = 0;
  return newestFirst.filter((file) => {
    files += 1;
    bytes += file.bytes;
    return file.timeMs < oldestMs || files > limits.maxFiles || bytes > limits.maxBytes;
  });
}

/**
 * Makes a store of outputs in a folder of its own, created with mode 0700 at the first write; its files have 0600.
 *
 * Other files in the folder are never touched. Several processes may share it.
 *
 * @param directory - The folder's path.
 */
export function createSpillStore(directory: string, limits: SpillLimits = {}): SpillStore {
  const { maxFiles = 1_000, maxBytes = 256 << 20, maxAgeMs = 7 * 86_400_000 } = limits;
  const all: Limits = { maxFiles, maxBytes, maxAgeMs, now: limits.now ?? Date.now };

  const deleteOver = async (fresh: readonly Stored[]): Promise<void> => {
    const names = await readdir(directory).catch(() => []);
    const others = names
      .map(parseName)
      .filter((file) => file !== undefined && file.name !== fresh[0]?.name) as Stored[];
    // The one just written comes first, also when the clock went back or stood still.
    const stored = [...fresh, ...others.toSorted((a, b) => b.timeMs - a.timeMs)];
    for (const { name } of findExpired(stored, all))
      await rm(join(directory, name), { force: true });
  };

  const store = async (data: Uint8Array): Promise<Stored> => {
    const timeMs = all.now();
    const name = `spill-${timeMs}-${data.length}-${randomBytes(8).toString("hex")}.txt`;
    const path = join(directory, name);
    const handle = await open(path, "wx", 0o600);
    try {
      await handle.writeFile(data);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await handle.close();
    }
    return { name, timeMs, bytes: data.length };
  };

  return Object.freeze({
    async write(data: string | Uint8Array) {
      const bytes = typeof data === "string" ? Buffer.from(data) : data;
      if (bytes.length > maxBytes)
        throw fileErrors.SPILL_TOO_LARGE({ bytes: bytes.length, maxBytes });
      await ensurePrivateDirectory(directory);
      try {
        const spill = await store(bytes);
        await deleteOver([spill]);
        return { path: join(directory, spill.name), bytes: spill.bytes };
      } catch (error) {
        throw toWriteError(directory, error);
      }
    },
    deleteExpired: () => deleteOver([]),
  });
}
