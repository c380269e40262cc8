import { dirname, relative } from "node:path";
import { toQuoted } from "../errors.js";
import type { RootFolder } from "./root-folder.js";

/** What there is instead of a missing file. */
export interface Nearby {
  /** Up to 20 entry names of the nearest directory that exists, sorted. */
  readonly nearby: string[];
  /** The same in a sentence. */
  readonly note: string;
}

const maxNames = 20;

/** So many directories above are tried; of a path that is deeper than that only the root folder is looked at. */
const maxClimbs = 32;

/**
 * Finds what a caller could have meant by a path with no file: the entries of the nearest directory above that
 * exists, or of the path itself when it is a directory. Looks nowhere outside the root folder.
 *
 * @param root - The containment.
 * @param path - The path as given.
 * @returns The names, and a note that says where they are.
 */
export async function findNearby(root: RootFolder, path: string): Promise<Nearby> {
  const top = await root.resolve(".");
  let directory = await root.resolve(path);
  for (let climbs = 0; climbs < maxClimbs; climbs += 1) {
    const names = await readNames(root, directory);
    if (names !== undefined) return toNearby(relative(top, directory) || ".", names);
    const above = dirname(directory);
    if (above === directory) return { nearby: [], note: "" };
    directory = above;
  }
  const names = await readNames(root, top);
  return names === undefined ? { nearby: [], note: "" } : toNearby(".", names);
}

async function readNames(root: RootFolder, directory: string): Promise<string[] | undefined> {
  try {
    await using place = await root.openPlace(directory);
    if (!place.stats.isDirectory()) return undefined;
    const names = (await place.readEntries()).map(({ name }) => name);
    await place.confirm();
    return names;
  } catch {
    // Missing, closed to us or outside: the directory above may be none of these.
    return undefined;
  }
}

function toNearby(directory: string, names: readonly string[]): Nearby {
  const nearby = names.toSorted().slice(0, maxNames);
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : "";
  const listed = names.length > 0 ? `${nearby.map(toQuoted).join(", ")}${more}` : "nothing";
  return { nearby, note: `The directory ${toQuoted(directory)} holds: ${listed}.` };
}
