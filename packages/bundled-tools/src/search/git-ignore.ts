import { readFileSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import createIgnore, { type Ignore } from "ignore";

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
  readonly rules: Ignore;
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
    if (isRepository(at)) return createRules(directory, above.flatMap(readRuleFile), true);
    if (dirname(at) === at) return createRules(directory, [], false);
  }
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
      if (isRepository(inner)) return createRules(inner, readRuleFile(inner), true);
      if (!isInRepository) return createRules(inner, [], false);
      const own = readRuleFile(inner);
      return createRules(inner, own.length > 0 ? [...files, ...own] : files, true);
    },
  };
}

/** The nearest file that says anything of the path decides. */
function isIgnoredBy(files: readonly RuleFile[], path: string, isDirectory: boolean): boolean {
  for (let at = files.length - 1; at >= 0; at -= 1) {
    const file = files[at];
    if (file === undefined) continue;
    const below = relative(file.base, path).split(sep).join("/");
    const { ignored, unignored } = file.rules.test(isDirectory ? `${below}/` : below);
    if (ignored || unignored) return ignored;
  }
  return false;
}

function isRepository(directory: string): boolean {
  return statSync(join(directory, ".git"), { throwIfNoEntry: false }) !== undefined;
}

function readRuleFile(base: string): readonly RuleFile[] {
  try {
    const text = readFileSync(join(base, ".gitignore"), "utf8");
    return [{ base, rules: createIgnore({ ignorecase: false }).add(text) }];
  } catch {
    // None, or closed to us: then git itself would not know its rules either.
    return [];
  }
}
