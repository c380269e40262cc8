import { opendir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { findRealPath } from "@postern/files/real-path";
import type { RealPath } from "../paths/check-paths.js";
import { globMarks, isPathPattern } from "../paths/shell-word.js";

/**
 * Follows the links of a path on this machine, as far as there is something.
 *
 * @param path - An absolute path.
 * @returns Where it leads; undefined for a spelling that is not one of a plain path here.
 */
export async function toRealPath(path: string): Promise<RealPath | undefined> {
  if (path.includes("\0")) return undefined;
  const real = await realpath(path).catch(() => undefined);
  // What is not there has to be followed link by link.
  if (real === undefined) return { path: toSlashes(await findRealPath(path)), isDirectory: false };
  const stats = await stat(real).catch(() => undefined);
  return { path: toSlashes(real), isDirectory: stats?.isDirectory() ?? false };
}

function toSlashes(path: string): string {
  return process.platform === "win32" ? path.replaceAll("\\", "/") : path;
}

/** So many entries are looked at for one pattern. */
const maxEntries = 20_000;
/** So many matches are worth asking about, or not. */
const maxMatches = 2_000;

/**
 * Finds what a pattern matches on this machine, as a shell without options does.
 *
 * @param pattern - An absolute path with `globMarks` in it.
 * @returns Where each match leads; undefined when there are too many entries to look at.
 */
export async function findMatches(pattern: string): Promise<readonly RealPath[] | undefined> {
  const search = { entries: 0 };
  let folders: readonly string[] = ["/"];
  for (const level of pattern.split("/").filter((each) => each !== "" && each !== ".")) {
    const next: string[] = [];
    for (const folder of folders)
      if (!isPathPattern(level)) next.push(`${folder === "/" ? "" : folder}/${level}`);
      else next.push(...(await findEntries(folder, level, search)));
    if (search.entries > maxEntries || next.length > maxMatches) return undefined;
    folders = next;
  }
  const found = await Promise.all(folders.map((path) => toRealPath(path)));
  return found.filter((each) => each !== undefined);
}

async function findEntries(
  folder: string,
  level: string,
  search: { entries: number },
): Promise<readonly string[]> {
  const expression = toExpression(level);
  const found = [".", ".."].filter((name) => level.startsWith(".") && expression.test(name));
  const directory = await opendir(folder).catch(() => undefined);
  if (directory !== undefined)
    for await (const { name } of directory) {
      search.entries += 1;
      if (search.entries > maxEntries) break;
      // A glob that does not begin with a dot matches no name that does.
      if (expression.test(name) && (level.startsWith(".") || !name.startsWith(".")))
        found.push(name);
    }
  return found.map((name) => (name === ".." ? `${folder}/..` : join(folder, name)));
}

function toExpression(level: string): RegExp {
  const parts = level.split(/([\uE000\uE001])/).map((part) => {
    if (part === globMarks.any) return ".*";
    return part === globMarks.one ? "." : part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  });
  return new RegExp(`^${parts.join("")}$`, "su");
}
