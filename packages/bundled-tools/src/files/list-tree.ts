import type { Dirent, Stats } from "node:fs";
import { join } from "node:path";
import { createPacer, type Pacer } from "../pacer.js";
import type { Place } from "./place.js";
import type { RootFolder } from "./root-folder.js";
import { sortInTurns } from "./sort-in-turns.js";

/** What an entry is. A link is never followed, so it is only that; `other` is a FIFO, a socket or a device. */
export type EntryType = "file" | "directory" | "link" | "other";

/** One entry of a listing. */
export interface Entry {
  /** Its path below the listed directory. */
  readonly path: string;
  readonly type: EntryType;
  readonly stats: EntryStats;
}

/** What a listing tells of an entry; kept without the rest, which is many times as much. */
export type EntryStats = Pick<Stats, "mtimeMs" | "size">;

/** What is wanted of a tree of directories. */
export interface TreeRequest {
  /** Levels to go down; 1 is the directory's own entries. */
  readonly maxDepth: number;
  /** Most entries to return. */
  readonly maxEntries: number;
  /** Which entries are wanted. */
  accepts(name: string, type: EntryType): boolean;
  /** Aborts the walk. */
  readonly signal: AbortSignal;
}

/** What was found in a tree. */
export interface Tree {
  /** Sorted by name within each directory; a directory's entries come right after it. */
  readonly entries: readonly Entry[];
  /** Whether there are more. */
  readonly truncated: boolean;
  /** Paths that could not be looked into, or at. */
  readonly skipped: readonly string[];
}

interface Child {
  readonly path: string;
  readonly type: EntryType;
  readonly depth: number;
  readonly accepted: boolean;
  /** Absent when it is not wanted, when enough others come before it, or when it could not be looked at. */
  readonly stats?: EntryStats;
}

/**
 * Lists a directory and, down to a depth, those below it. A directory that cannot be opened, or that is no longer
 * where it was seen, is skipped and named.
 *
 * @param root - The containment.
 * @param top - The opened directory.
 * @param request - What is wanted.
 * @returns What was found.
 * @throws The reason of an aborted signal; otherwise what reading the top directory itself throws.
 */
export async function listTree(root: RootFolder, top: Place, request: TreeRequest): Promise<Tree> {
  const entries: Entry[] = [];
  const skipped: string[] = [];
  const pacer = createPacer(request.signal);
  const readBelow = async (path: string, depth: number): Promise<readonly Child[]> => {
    const wanted = request.maxEntries - entries.length + 1;
    try {
      await using place = await root.openBelow(join(top.realPath, path));
      return await readChildren(place, { path, depth, wanted, request, pacer });
    } catch {
      request.signal.throwIfAborted();
      skipped.push(path);
      return [];
    }
  };
  const first = { path: "", depth: 1, wanted: request.maxEntries + 1, request, pacer };
  const pending = (await readChildren(top, first)).toReversed();
  for (let child = pending.pop(); child !== undefined; child = pending.pop()) {
    const { path, type, stats, accepted, depth } = child;
    if (accepted && entries.length === request.maxEntries)
      return { entries, truncated: true, skipped };
    if (stats !== undefined) entries.push({ path, type, stats });
    else if (accepted) skipped.push(path);
    if (type === "directory" && depth < request.maxDepth)
      for (const below of (await readBelow(path, depth + 1)).toReversed()) pending.push(below);
  }
  return { entries, truncated: false, skipped };
}

interface Level {
  readonly path: string;
  readonly depth: number;
  /** No more than so many of its entries can come into the listing. */
  readonly wanted: number;
  readonly request: TreeRequest;
  readonly pacer: Pacer;
}

async function readChildren(place: Place, level: Level): Promise<readonly Child[]> {
  const { wanted, pacer } = level;
  const entries = await sortInTurns(await place.readEntries(), pacer);
  const children: Child[] = [];
  let found = 0;
  for (const entry of entries) {
    // What comes later cannot come into the listing, and what is below it comes later still.
    if (found >= wanted) break;
    const child = toChild(place, entry, level);
    if (child !== undefined) children.push(child);
    if (child?.stats !== undefined) found += 1;
    if (pacer.isDue()) await pacer.pause();
  }
  await place.confirm();
  return children;
}

/** What matters of an entry; nothing when it is neither wanted nor to be gone down into. */
function toChild(place: Place, entry: Dirent, level: Level): Child | undefined {
  const { depth, request } = level;
  const accepted = request.accepts(entry.name, toType(entry));
  const stats = accepted ? place.findEntryStats(entry.name) : undefined;
  const type = toType(stats ?? entry);
  if (!accepted && (type !== "directory" || depth >= request.maxDepth)) return undefined;
  const path = level.path === "" ? entry.name : join(level.path, entry.name);
  if (stats === undefined) return { path, type, depth, accepted };
  const { mtimeMs, size } = stats;
  return { path, type, depth, accepted, stats: { mtimeMs, size } };
}

/** Tells what an entry or a file is. */
function toType(entry: Pick<Dirent, "isSymbolicLink" | "isDirectory" | "isFile">): EntryType {
  if (entry.isSymbolicLink()) return "link";
  if (entry.isDirectory()) return "directory";
  return entry.isFile() ? "file" : "other";
}
