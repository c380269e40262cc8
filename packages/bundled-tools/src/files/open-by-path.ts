import { constants, type Stats } from "node:fs";
import { lstat, open, realpath, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { bundledErrors } from "../errors.js";
import { findStats } from "./find-stats.js";
import type { Place } from "./place.js";
import { readEntries } from "./read-entries.js";

const readFlags =
  constants.O_RDONLY |
  (constants.O_NONBLOCK ?? 0) |
  (constants.O_NOCTTY ?? 0) |
  (constants.O_NOFOLLOW ?? 0);

/**
 * Opens a place where the system cannot tell a descriptor's path. The real path is checked before anything is
 * opened; after opening, or after reading a directory, the same real path must still lead to the same thing.
 */
export async function openByPath(
  target: string,
  assertInside: (realPath: string) => void,
): Promise<Place> {
  const realPath = await realpath(target);
  assertInside(realPath);
  const stats = await lstat(realPath);
  const confirm = (): Promise<void> => assertSame(realPath, stats);
  await confirm();
  return {
    realPath,
    door: realPath,
    stats,
    openContent: () => openSame(realPath, stats),
    readEntries: () => readEntries(realPath),
    findEntryStats: (name) => findStats(join(realPath, name)),
    confirm,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function openSame(realPath: string, expected: Stats): Promise<FileHandle> {
  const file = await open(realPath, readFlags);
  try {
    assertSameThing(realPath, expected, await file.stat());
    await assertSame(realPath, expected);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * A link that flips to and fro can look right at every look; measured against a tight loop of swaps, one look let
 * 14 of 5,000 reads out, and each further look a quarter of what was left.
 */
const looks = 8;

async function assertSame(realPath: string, expected: Stats): Promise<void> {
  for (let look = 0; look < looks; look += 1) {
    assertSameThing(realPath, expected, await lstat(realPath));
    if ((await realpath(realPath)) !== realPath)
      throw bundledErrors.PATH_CHANGED({ path: realPath });
  }
}

function assertSameThing(realPath: string, expected: Stats, found: Stats): void {
  if (found.dev !== expected.dev || found.ino !== expected.ino)
    throw bundledErrors.PATH_CHANGED({ path: realPath });
}
