import { readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { parseIgnoreRules, type IgnoreRule } from "./parse-ignore-rules.js";

/** The rules that hold in one directory: its own, then those of the directories above in the same repository. */
export interface IgnoreRules {
  /** Whether an entry of the directory is left out. */
  isIgnored(name: string, isDirectory: boolean): boolean;
  /** The rules of a directory in it. */
  enter(name: string): IgnoreRules;
}

/** The rules where nothing is left out. */
export const noRules: IgnoreRules = Object.freeze({
  isIgnored: () => false,
  enter: () => noRules,
});

interface RuleFile {
  /** The directory that the rules are relative to. */
  readonly base: string;
  readonly rules: readonly IgnoreRule[];
}

/**
 * Reads the `.gitignore` rules that hold in a directory: those of the git repository that it lies in. Outside a
 * repository none hold, until one is entered.
 *
 * @param directory - A real path.
 */
export function readIgnoreRules(directory: string): IgnoreRules {
  const above: string[] = [];
  for (let at = directory; ; at = dirname(at)) {
    above.unshift(at);
    if (isRepository(at)) return createRules(directory, readAbove(above), true);
    if (dirname(at) === at) return createRules(directory, [], false);
  }
}

/** The first directory is the repository's own. */
function readAbove([repository = "", ...others]: readonly string[]): readonly RuleFile[] {
  return [...readRepositoryRules(repository), ...others.flatMap(readRuleFile)];
}

function createRules(
  directory: string,
  files: readonly RuleFile[],
  isInRepository: boolean,
): IgnoreRules {
  return {
    isIgnored: (name, isDirectory) => isIgnoredBy(files, join(directory, name), isDirectory),
    enter(name) {
      const inner = join(directory, name);
      // The rules of a repository end where another one begins.
      if (isRepository(inner)) return createRules(inner, readRepositoryRules(inner), true);
      if (!isInRepository) return createRules(inner, [], false);
      const own = readRuleFile(inner);
      return createRules(inner, own.length > 0 ? [...files, ...own] : files, true);
    },
  };
}

/**
 * The last rule of the nearest file that says anything of the path decides. Only the path itself counts, not the
 * directories above it: who searches in a directory that is left out wants what is in it.
 */
function isIgnoredBy(files: readonly RuleFile[], path: string, isDirectory: boolean): boolean {
  for (let at = files.length - 1; at >= 0; at -= 1) {
    const file = files[at];
    if (file === undefined || file.rules.length === 0) continue;
    const below = toBytes(path.slice(file.base === sep ? 1 : file.base.length + 1));
    const rule = file.rules.findLast(
      (each) => (isDirectory || !each.isForDirectories) && each.matches(below),
    );
    if (rule !== undefined) return !rule.isKept;
  }
  return false;
}

/** Rules are about bytes, as those of git and ripgrep: `?` is half of a letter that takes two. */
function toBytes(path: string): string {
  const text = sep === "/" ? path : path.replaceAll(sep, "/");
  return /[^\0-\x7f]/.test(text) ? Buffer.from(text, "utf8").toString("latin1") : text;
}

function isRepository(directory: string): boolean {
  try {
    return statSync(join(directory, ".git"), { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A directory that is closed to us: nothing in it will be searched.
    return false;
  }
}

function readRuleFile(base: string): readonly RuleFile[] {
  return readRules(base, join(base, ".gitignore"));
}

/** The rules that a repository begins with: those of its own that are not committed count least. */
function readRepositoryRules(base: string): readonly RuleFile[] {
  const folder = findGitFolder(base);
  const own = folder === undefined ? [] : readRules(base, join(folder, "info", "exclude"));
  return [...own, ...readRuleFile(base)];
}

function readRules(base: string, path: string): readonly RuleFile[] {
  const text = readText(path);
  // None, or closed to us: then git itself would not know its rules either.
  return text === undefined ? [] : [{ base, rules: parseIgnoreRules(text) }];
}

/**
 * A further worktree of a repository has a file that names its folder, and that one names the common one. As for
 * ripgrep, a submodule has no rules of its own that are not committed.
 */
function findGitFolder(base: string): string | undefined {
  const folder = join(base, ".git");
  const file = readText(folder);
  if (file === undefined) return folder;
  const own = toPath(/^gitdir: (.+)/.exec(file)?.[1]);
  if (own === undefined || !isAbsolute(own)) return undefined;
  const common = toPath(readText(join(own, "commondir")));
  return common === undefined ? undefined : resolve(own, common);
}

function toPath(bytes: string | undefined): string | undefined {
  return bytes === undefined ? undefined : Buffer.from(bytes, "latin1").toString("utf8").trim();
}

/** A small file's text, a character for each byte. A pipe in its place must not stop the search. */
function readText(path: string): string | undefined {
  try {
    if (statSync(path).isFile()) return readFileSync(path, "latin1");
  } catch {
    // Not there, or closed to us.
  }
  return undefined;
}
