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
    if (link === undefined) {
      real = next;
      continue;
    }
    links += 1;
    if (links > maxLinks) return next;
    if (isAbsolute(link)) real = parse(link).root;
    pending.push(...toNames(isAbsolute(link) ? link.slice(parse(link).root.length) : link));
  }
  return real;
}

/** The names of a path, last first, ready to be popped. */
function toNames(path: string): string[] {
  const names = path.split(sep === "\\" ? /[\\/]/ : "/");
  return names.filter((name) => name !== "" && name !== ".").toReversed();
}

async function findLink(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch {
    // Not a link, missing, or closed to us: it lies where its name says.
    return undefined;
  }
}
