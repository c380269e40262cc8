import { byNamePattern, toAlternatives } from "../files/name-pattern.js";
import { matchesLevels, type Level } from "./match-levels.js";

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
  return (path) => matchesLevels(levels, path.split("/"));
}
