import type { Word, WordPart } from "unbash";

/** Stands for what only the shell knows: another variable, a command's output. */
const unknown = "\0";

/** Stands for what a glob may match: any text, and one character. Nobody's file names hold them. */
export const globMarks = Object.freeze({ any: "\uE000", one: "\uE001" });

/**
 * Tells whether a path is a pattern of paths.
 *
 * @param path - The path.
 * @returns True when it holds one of `globMarks`.
 */
export function isPathPattern(path: string): boolean {
  return path.includes(globMarks.any) || path.includes(globMarks.one);
}

/** No list of braces becomes more words than this. */
const maxTexts = 64;

/** What is known of variables. */
export type Variables = ReadonlyMap<string, string>;

/**
 * Finds the texts that a word may become, as far as they can be told without running anything.
 *
 * @param word - The word.
 * @param variables - What earlier commands assigned.
 * @returns The texts. Where a part is unknown: the folder before it, and the whole when it climbs (`$X/../..`). Of a glob: the
 *   folder before it, and the whole with `globMarks` in it.
 */
export function findWordTexts(word: Word, variables: Variables): readonly string[] {
  if (word.parts === undefined) return [word.value];
  return toTexts(word.parts, variables).flatMap(toKnown);
}

/** The one text of a word; undefined when a part is unknown. */
export function findWordText(word: Word, variables: Variables): string | undefined {
  if (word.parts === undefined) return word.value;
  const [text, ...others] = toTexts(word.parts, variables);
  const isOpen = text === undefined || others.length > 0 || text.includes(unknown);
  return isOpen || isPathPattern(text) ? undefined : text;
}

function toTexts(parts: readonly WordPart[], variables: Variables): readonly string[] {
  let texts: readonly string[] = [""];
  for (const part of parts) {
    const next = toPartTexts(part, variables);
    const [only = ""] = next;
    const [before = ""] = texts;
    if (next.length === 1 && texts.length === 1) texts = [before + only];
    else texts = texts.flatMap((text) => next.map((end) => text + end)).slice(0, maxTexts);
  }
  return texts;
}

function toPartTexts(part: WordPart, variables: Variables): readonly string[] {
  const { type } = part;
  if (type === "Literal" || type === "SingleQuoted" || type === "AnsiCQuoted") return [part.value];
  if (type === "DoubleQuoted" || type === "LocaleString") return toTexts(part.parts, variables);
  if (type === "SimpleExpansion") return [toValue(part.text.slice(1), variables)];
  if (type === "BraceExpansion") return toAlternatives(part.text);
  if (type === "ExtendedGlob") return [globMarks.any];
  if (type === "Glob") return [part.kind === "star" ? globMarks.any : globMarks.one];
  const isPlain = type === "ParameterExpansion" && !part.operation && !part.prefix && !part.index;
  return [isPlain ? toValue(part.parameter, variables) : unknown];
}

function toValue(name: string, variables: Variables): string {
  const assigned = variables.get(name);
  if (assigned !== undefined) return assigned;
  if (name === "HOME") return "~";
  return name === "PWD" ? "." : unknown;
}

/** `{a,b}`; what is nested or a range is left to the shell. */
function toAlternatives(text: string): readonly string[] {
  const inner = /^\{([^{}$`'"\\]*,[^{}$`'"\\]*)\}$/.exec(text)?.[1];
  return inner?.split(",") ?? [unknown];
}

function toKnown(text: string): readonly string[] {
  const isUnknown = text.includes(unknown);
  const at = isUnknown ? text.indexOf(unknown) : text.search(/[\uE000\uE001]/);
  if (at === -1) return [text];
  const folder = text.slice(0, text.lastIndexOf("/", at) + 1);
  const climbs = /(?:^|\/)\.\.(?:\/|$)/.test(text.slice(at));
  if (!isUnknown) return [folder, text].filter((each) => each !== "");
  const whole = text.replaceAll(/[\0\uE000\uE001]/g, "x");
  const found = climbs ? [folder, whole] : [folder];
  return found.filter((each) => each !== "");
}
