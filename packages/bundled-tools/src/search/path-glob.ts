import { byNamePattern, toAlternatives } from "../files/name-pattern.js";

/** One level of a path: any number of levels, or a name. */
type Level = "any" | ((name: string) => boolean);

/**
 * Makes a test of paths from globs as `.gitignore` and ripgrep read them: one without `/` is about the name alone, at
 * every depth; one with `/` is about the whole path below the directory, where `*` stays within a level and `**` is any
 * number of levels. Takes time in proportion to pattern times path.
 *
 * @param patterns - Globs, separated by blanks.
 * @returns True for a path, with `/`, that at least one of them matches.
 */
export function byPathPattern(patterns: string): (path: string) => boolean {
  const globs = patterns
    .split(/\s+/)
    .filter((glob) => glob !== "")
    .flatMap((glob) => toAlternatives(glob));
  if (globs.some((glob) => glob === "*" || glob === "**" || glob === "**/*")) return () => true;
  const tests = globs.map(toTest);
  return (path) => tests.some((test) => test(path));
}

function toTest(glob: string): (path: string) => boolean {
  const clean = glob.replace(/^\.?\//, "");
  if (!glob.includes("/")) {
    const isNamed = byNamePattern(clean);
    return (path) => isNamed(path.slice(path.lastIndexOf("/") + 1));
  }
  const levels = clean
    // What is below, and not the folder itself.
    .replace(/\/\*\*$/, "/**/*")
    .split("/")
    .map((name): Level => (name === "**" ? "any" : byNamePattern(name === "" ? "*" : name)));
  return (path) => isMatch(levels, path.split("/"));
}

/** Which levels may come next, name by name; so no pattern makes it try again. */
function isMatch(levels: readonly Level[], names: readonly string[]): boolean {
  let open = toOpen(levels, new Set([0]));
  for (const name of names) {
    const next = new Set<number>();
    for (const at of open) {
      const level = levels[at];
      if (level === "any") next.add(at);
      else if (level?.(name) === true) next.add(at + 1);
    }
    open = toOpen(levels, next);
  }
  return open.has(levels.length);
}

/** Any number of levels may also be none. */
function toOpen(levels: readonly Level[], reached: ReadonlySet<number>): ReadonlySet<number> {
  const open = new Set(reached);
  for (const at of open) if (levels[at] === "any") open.add(at + 1);
  return open;
}
