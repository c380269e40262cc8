import type { Dirent, Stats } from "node:fs";
import { join } from "node:path";
import { bundledErrors } from "../errors.js";
import type { Place } from "./place.js";
import type { RootFolder } from "./root-folder.js";

/** What an entry is. A link is never followed, so it is only that; `other` is a FIFO, a socket or a device. */
export type EntryType = "file" | "directory" | "link" | "other";

/** One entry of a listing. */
export interface Entry {
  /** Its path below the listed directory. */
  readonly path: string;
  readonly type: EntryType;
  readonly stats: Stats;
}

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
  readonly stats?: Stats;
}

/** As many entries are looked at together; more only wait in line for the threads of Node. */
const batchSize = 32;

/**
 * Lists a directory and, down to a depth, those below it. A directory that cannot be opened, or that is no longer
 * where it was seen, is skipped and named.
 *
 * @param root - The containment.
 * @param top - The opened directory.
 * @param request - What is wanted.
 * @returns What was found.
 * @throws {PosternError} `CANCELLED`; otherwise what reading the top directory itself throws.
 */
export async function listTree(root: RootFolder, top: Place, request: TreeRequest): Promise<Tree> {
  const entries: Entry[] = [];
  const skipped: string[] = [];
  const readBelow = async (path: string, depth: number): Promise<readonly Child[]> => {
    if (request.signal.aborted) throw bundledErrors.CANCELLED();
    const wanted = request.maxEntries - entries.length + 1;
    try {
      await using place = await root.openBelow(join(top.realPath, path));
      return await readChildren(place, { path, depth, wanted, request });
    } catch {
      skipped.push(path);
      return [];
    }
  };
  const first = { path: "", depth: 1, wanted: request.maxEntries + 1, request };
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
}

async function readChildren(place: Place, level: Level): Promise<readonly Child[]> {
  const entries = (await place.readEntries()).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const stats = await readStats(place, entries, level);
  await place.confirm();
  const children: Child[] = [];
  for (const entry of entries) {
    const child = toChild(entry, stats.get(entry.name), level);
    if (child !== undefined) children.push(child);
  }
  return children;
}

/** What matters of an entry; nothing when it is neither wanted nor to be gone down into. */
function toChild(entry: Dirent, stats: Stats | undefined, level: Level): Child | undefined {
  const { depth, request } = level;
  const accepted = request.accepts(entry.name, toType(entry));
  const type = toType(stats ?? entry);
  if (!accepted && (type !== "directory" || depth >= request.maxDepth)) return undefined;
  const child = { path: join(level.path, entry.name), type, depth, accepted };
  return stats === undefined ? child : { ...child, stats };
}

/** Looks at entries in order until enough could be looked at. */
async function readStats(
  place: Place,
  entries: readonly Dirent[],
  { wanted, request }: Level,
): Promise<ReadonlyMap<string, Stats>> {
  const found = new Map<string, Stats>();
  for (let at = 0; at < entries.length && found.size < wanted;) {
    const batch: string[] = [];
    for (; at < entries.length && batch.length < batchSize; at += 1) {
      const entry = entries[at];
      if (entry !== undefined && request.accepts(entry.name, toType(entry))) batch.push(entry.name);
    }
    await Promise.all(
      batch.map(async (name) => {
        const stats = await place.readEntryStats(name).catch(() => undefined);
        if (stats !== undefined) found.set(name, stats);
      }),
    );
  }
  return found;
}

/** Tells what an entry or a file is. */
function toType(entry: Pick<Dirent, "isSymbolicLink" | "isDirectory" | "isFile">): EntryType {
  if (entry.isSymbolicLink()) return "link";
  if (entry.isDirectory()) return "directory";
  return entry.isFile() ? "file" : "other";
}
