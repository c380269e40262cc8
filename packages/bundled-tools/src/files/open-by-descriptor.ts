import { constants, existsSync } from "node:fs";
import { open, readlink } from "node:fs/promises";
import { findStats } from "./find-stats.js";
import type { Place } from "./place.js";
import { readEntries } from "./read-entries.js";

/**
 * `O_PATH`, which Node does not name: a descriptor that only stands for a place. Opening it starts no device, waits
 * for no writer and needs no right to read. The same number on every processor that Node supports on Linux.
 */
const pathOnly = 0o10000000;

/** Never wait for a writer, never take a terminal. */
const readFlags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

const descriptors = "/proc/self/fd";

/** Whether this system can tell where a descriptor really lies. */
export function isDescriptorPathKnown(): boolean {
  return process.platform === "linux" && existsSync(descriptors);
}

/**
 * Opens a place, asks the kernel where the opened thing lies, and reaches its content only through the descriptor.
 * A link that is swapped at any moment changes what is opened, but never what is read after the check.
 */
export async function openByDescriptor(
  target: string,
  assertInside: (realPath: string) => void,
): Promise<Place> {
  const held = await open(target, pathOnly);
  try {
    const door = `${descriptors}/${held.fd}`;
    const realPath = await readlink(door);
    assertInside(realPath);
    return {
      realPath,
      door,
      stats: await held.stat(),
      openContent: () => open(door, readFlags),
      readEntries: () => readEntries(door),
      findEntryStats: (name) => findStats(`${door}/${name}`),
      confirm: () => Promise.resolve(),
      [Symbol.asyncDispose]: () => held.close(),
    };
  } catch (error) {
    await held.close();
    throw error;
  }
}
