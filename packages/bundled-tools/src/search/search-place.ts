import { basename, dirname, join, relative, sep } from "node:path";
import { createSensitiveNames } from "@postern/policy/paths";
import { bundledErrors } from "../errors.js";
import type { Place } from "../files/place.js";
import { toPath } from "../files/to-path.js";
import type { Surroundings } from "../surroundings.js";
import { searchErrors } from "./errors.js";
import { byPathPattern } from "./path-glob.js";

/** Where a search looks, below the root folder. */
export interface SearchPlace {
  /** The real path of the directory. */
  readonly directory: string;
  /** For a search in one file: its name in the directory. */
  readonly file?: string;
  /** Turns a path below the directory into one that the other tools take. */
  toShown(path: string): string;
}

/**
 * Finds where to search.
 *
 * @throws {PosternError} `PATH_OUTSIDE_ROOT`, `PATH_NOT_FOUND`, `NOT_A_FILE`, `PERMISSION_DENIED`, …
 */
export async function findSearchPlace(
  { root }: Pick<Surroundings, "root">,
  given: string,
): Promise<SearchPlace> {
  const path = toPath(given);
  await using place = await root.openPlace(path);
  if (place.stats.isDirectory()) {
    await assertReadable(place);
    return { directory: place.realPath, toShown: (below) => toPosix(join(path, below)) };
  }
  if (!place.stats.isFile())
    throw bundledErrors.NOT_A_FILE({ path, found: "a pipe, a socket or a device" });
  const [directory, file] = [dirname(place.realPath), basename(place.realPath)];
  return { directory, file, toShown: () => toPosix(path) };
}

/** A directory below that is closed to us is left out, but of the one that was asked for it must be said. */
async function assertReadable(place: Place): Promise<void> {
  await place.readEntries();
}

function toPosix(path: string): string {
  return sep === "\\" ? path.replaceAll("\\", "/") : path;
}

/** Which files a caller wants. */
export interface Wanted {
  readonly include: string | null;
  readonly exclude: string | null;
  readonly includeSensitive: boolean;
}

/**
 * Makes the test of a search's files. Files that usually hold secrets are left out before their content is looked at,
 * so that nobody can find out by searching what they hold.
 */
export function byWanted(
  { include, exclude, includeSensitive }: Wanted,
  { env, base }: Pick<Surroundings, "env"> & { readonly base: string },
): (path: string) => boolean {
  const isIncluded = include === null ? () => true : byPathPattern(include);
  const isExcluded = exclude === null ? () => false : byPathPattern(exclude);
  const isSensitive = createSensitiveNames(env("POSTERN_SENSITIVE_PATTERNS"));
  return (path) =>
    isIncluded(path) &&
    !isExcluded(path) &&
    (includeSensitive || !isSensitive(base === "" ? path : `${base}/${path}`));
}

/** The directory as it lies below the root folder: `.ssh` counts also when the search begins in it. */
export function toBase(rootPath: string, directory: string): string {
  return relative(rootPath, directory).split(sep).join("/");
}

/** How long one search may take. */
const searchTimeoutMs = 30_000;

/**
 * Limits a search in time.
 *
 * @param signal - The caller's.
 * @param search - The search, under a signal of its own.
 * @param timeoutMs - How long it may take; default 30,000.
 * @throws {PosternError} `SEARCH_TIMEOUT`, `CANCELLED`, or what the search throws.
 */
export async function withSearchTimeout<Result>(
  signal: AbortSignal,
  search: (signal: AbortSignal) => Promise<Result>,
  timeoutMs = searchTimeoutMs,
): Promise<Result> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await search(AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (signal.aborted) throw bundledErrors.CANCELLED();
    if (timeout.aborted) throw searchErrors.SEARCH_TIMEOUT({ seconds: timeoutMs / 1_000 });
    throw error;
  }
}

/** What is worth saying of a search beside its results. */
export function toSearchNote(
  unreadable: readonly string[],
  { includeSensitive, more }: { readonly includeSensitive: boolean; readonly more: string },
): string {
  const shown = unreadable.slice(0, 5).map((path) => JSON.stringify(path));
  const notes = [
    more,
    unreadable.length > 0
      ? `Could not be looked into: ${shown.join(", ")}${unreadable.length > 5 ? ` and ${unreadable.length - 5} more` : ""}.`
      : "",
    includeSensitive
      ? ""
      : "Files that usually hold secrets (.env, keys, …) are not searched; include_sensitive searches them too.",
  ];
  return notes.filter((note) => note !== "").join(" ");
}
