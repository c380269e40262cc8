/** Where paths begin. Both are absolute. */
export interface Base {
  /** Where relative paths begin. */
  readonly root: string;
  /** The home folder, for `~`. */
  readonly home?: string | undefined;
}

const drive = /^[A-Za-z]:[\\/]/;

/** A path in both ways that programs read `..` in. */
export interface AbsolutePath {
  /** Without `.` and `..`: each took away the name before it. */
  readonly path: string;
  /** With its `..`, which lead out of what a link before them leads to; absent where there are none. */
  readonly climbing?: string;
}

/**
 * Makes a path absolute by its text alone.
 *
 * @param path - A path, as a mention has it.
 * @param base - Where it begins.
 * @returns The path; undefined for one below a home folder that is not known.
 */
export function toAbsolutePath(path: string, { root, home }: Base): AbsolutePath | undefined {
  // Elsewhere a backslash is a character like any other.
  const isWindows = drive.test(root) || root.startsWith("\\\\");
  const clean = isWindows ? path.replaceAll("\\", "/") : path;
  const [top = ""] = clean.split("/", 1);
  if (top.startsWith("~")) {
    if (home === undefined) return undefined;
    // Homes of other users lie beside ours.
    const folder = top === "~" ? home : `${home}/../${top.slice(1)}`;
    return toBoth(`${folder}${clean.slice(top.length)}`, isWindows);
  }
  const isAbsolute = clean.startsWith("/") || (isWindows && drive.test(clean));
  return toBoth(isAbsolute ? clean : `${root}/${clean}`, isWindows);
}

function toBoth(whole: string, isWindows: boolean): AbsolutePath {
  const path = toNormal(whole, isWindows);
  // Windows itself takes away the name.
  return isWindows || !/(?:^|\/)\.\.(?:\/|$)/.test(whole) ? { path } : { path, climbing: whole };
}

function toNormal(path: string, isWindows: boolean): string {
  const clean = isWindows ? path.replaceAll("\\", "/") : path;
  const levels: string[] = [];
  for (const level of clean.split("/")) {
    if (level === "..") levels.pop();
    else if (level !== "" && level !== ".") levels.push(level);
  }
  const text = levels.join("/");
  if (isWindows && /^[A-Za-z]:/.test(text)) return levels.length === 1 ? `${text}/` : text;
  return isWindows && clean.startsWith("//") ? `//${text}` : `/${text}`;
}

/**
 * Tells whether a path is a folder, or lies in it. Both are absolute and without links.
 */
export function isBelow(path: string, folder: string): boolean {
  const top = folder.endsWith("/") ? folder : `${folder}/`;
  return path === folder || path.startsWith(top);
}

/** The folder that a path lies in; of the topmost one itself. */
export function toFolder(path: string): string {
  const folder = path.slice(0, path.lastIndexOf("/"));
  return folder === "" || folder.endsWith(":") ? `${folder}/` : folder;
}
