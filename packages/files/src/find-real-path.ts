import { readlink } from "node:fs/promises";
import { dirname, isAbsolute, join, parse, sep } from "node:path";

/** As many links as Linux follows in one path. */
const maxLinks = 40;

/**
 * Finds where a path leads when every link on it is followed, also when what it leads to is missing or closed to us.
 * So a path that leads outside is refused alike whether anything is there or not, and nobody can probe for files.
 *
 * @param target - An absolute path.
 * @returns The absolute path without links. A loop of links ends where following stopped.
 */
export async function findRealPath(target: string): Promise<string> {
  const { root } = parse(target);
  let real = root;
  let links = 0;
  const pending = toNames(target.slice(root.length));
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name === "..") {
      real = dirname(real);
      continue;
    }
    const next = join(real, name);
    const link = await findLink(next);
    // Below what is missing there is nothing to follow: a caller's long path must not cost a look for each name.
    if (link === "missing" && !pending.includes(".."))
      return [next, ...pending.toReversed()].join(sep);
    if (link === "none" || link === "missing") {
      real = next;
      continue;
    }
    links += 1;
    if (links > maxLinks) return next;
    if (isAbsolute(link.to)) real = parse(link.to).root;
    pending.push(
      ...toNames(isAbsolute(link.to) ? link.to.slice(parse(link.to).root.length) : link.to),
    );
  }
  return real;
}

/** The names of a path, last first, ready to be popped. */
function toNames(path: string): string[] {
  const names = path.split(sep === "\\" ? /[\\/]/ : "/");
  return names.filter((name) => name !== "" && name !== ".").toReversed();
}

const missingCodes: ReadonlySet<unknown> = new Set([
  "ENOENT",
  "ENOTDIR",
  "EACCES",
  "EPERM",
  "ENAMETOOLONG",
]);

/** Where a link leads; `missing` for what is not there or closed to us: it lies where its name says. */
async function findLink(path: string): Promise<{ readonly to: string } | "none" | "missing"> {
  try {
    return { to: await readlink(path) };
  } catch (error) {
    return missingCodes.has((error as NodeJS.ErrnoException).code) ? "missing" : "none";
  }
}
