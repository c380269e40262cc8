import { isFileUrl, parsePathText } from "./file-url.js";

/**
 * Finds the paths that a word of a command may stand for: the word itself, what follows `=` (`FOO=/x`, `--out=/x`,
 * `if=/x`), `@` (`@file` of curl) or a short option's letter (`-o/x`), and the parts of a list (`/a:/b`).
 *
 * @param word - As the program gets it.
 * @returns The paths, without duplicates. A word that is no path at all is one too: a file of that name.
 */
export function findWordPaths(word: string): readonly string[] {
  // Most words are what they are.
  if (plainWord.test(word)) return [word];
  const found = new Set<string>();
  collect(word, { found, seen: new Set() }, 0);
  return [...found];
}

const plainWord = /^[^-=@<:][^=@<:]*$/;
const maxDepth = 8;

interface Collected {
  readonly found: Set<string>;
  /** Lengths of what was looked at: it always is the end of the same word. */
  readonly seen: Set<number>;
}

function collect(word: string, collected: Collected, depth: number): void {
  const { found, seen } = collected;
  if (seen.has(word.length)) return;
  seen.add(word.length);
  if (isFileUrl(word)) return add(word, found);
  // Stacked deeper, only the innermost is looked at: a word of nothing but equals signs costs no more than another.
  if (depth > maxDepth) return add(/[^=@]*$/.exec(word)?.[0] ?? "", found);
  const assigned = word.indexOf("=");
  if (assigned > 0) {
    const value = word.slice(assigned + 1);
    if (value !== "") collect(value, collected, depth + 1);
  }
  const glued = /^-[A-Za-z]{1,6}?(?=[/~@]|\.{1,2}(?:\/|$)|\.\w)(.+)$/s.exec(word)?.[1];
  if (glued !== undefined) collect(glued, collected, depth + 1);
  if (word.startsWith("-")) return;
  const named = /^[@<]+(.+)$/s.exec(word)?.[1];
  if (named !== undefined) collect(named, collected, depth + 1);
  if (parsePathText(word) === undefined) return;
  // Not "//", which is the rest of a URL.
  for (const part of word.split(":").slice(1))
    if (/^(?:\/(?!\/)|~|\.\.?\/)|^(?!\/)\D.*[./]/.test(part)) add(part, found);
  const first = word.split(":", 1)[0] ?? "";
  if (first !== word && /^[/~.]/.test(first)) add(first, found);
  add(word, found);
}

function add(text: string, found: Set<string>): void {
  const path = parsePathText(text);
  if (path !== undefined) found.add(path);
}
