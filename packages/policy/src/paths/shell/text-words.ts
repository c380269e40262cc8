import { toBase } from "./programs.js";

type Words = readonly (string | undefined)[];

/** Programs that only write their words. */
const writers = /^(?:echo|printf)$/;
const searchers = /^(?:grep|egrep|fgrep|zgrep|rg|ag|ack)$/;
const scripted = /^(?:g?sed|[gmn]?awk)$/;

/**
 * Finds which words of a command are text and no paths: what `echo` writes, what `grep` looks for, the script of `sed`.
 *
 * @param words - The command's words, the program first; undefined where only the shell knows.
 * @returns Their indexes.
 */
export function findTextWords(words: Words): ReadonlySet<number> {
  const base = toBase(words[0] ?? "");
  // What the shell makes of a glob is names of files.
  if (writers.test(base)) return new Set([...words.keys()].filter((at) => words[at] !== undefined));
  if (base === "git" && words[1] === "grep") return findPattern(words, 2);
  if (base === "git") return findMessages(words);
  if (!searchers.test(base) && !scripted.test(base)) return new Set();
  return findPattern(words, 1);
}

/** The values of `-e`; where there are none, the first word that is no option. */
function findPattern(words: Words, from: number): ReadonlySet<number> {
  const named = [...words.keys()].filter(
    (at) => at > from && /^(?:-[A-Za-z]*e|--regexp|--expression)$/.test(words[at - 1] ?? ""),
  );
  if (named.length > 0) return new Set(named);
  if (words.some((word) => /^(?:-[A-Za-z]*f|--file)/.test(word ?? ""))) return new Set();
  const first = words.findIndex(
    (word, at) => at >= from && !(word ?? "").startsWith("-") && !takesValue(words[at - 1] ?? ""),
  );
  return first === -1 ? new Set() : new Set([first]);
}

const flags =
  /^--(?:line-number|no-heading|hidden|ignore-case|count|files-with-matches|files-without-match|recursive|only-matching|invert-match|word-regexp|fixed-strings|perl-regexp|extended-regexp|basic-regexp|no-filename|with-filename|null|quiet|silent|in-place|multiline|pcre2|smart-case|case-sensitive|no-ignore|follow|text|stats|json|vimgrep|trim|no-messages)$/;

/** Options whose value may be a word of its own: all long ones that are not known to take none. */
function takesValue(word: string): boolean {
  return /^-[ABCmgtTdDFrj]$/.test(word) || (/^--[^=]+$/.test(word) && !flags.test(word));
}

function findMessages(words: Words): ReadonlySet<number> {
  const found = [...words.keys()].filter((at) =>
    /^(?:-[A-Za-z]*m|--message|--since|--until|--author|--grep|-S|-G)$/.test(words[at - 1] ?? ""),
  );
  return new Set(found);
}

const programFolders = /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$/;
const streams = /^\/dev\/(?:null|zero|random|urandom|stdin|stdout|stderr|tty|fd\/\d{1,2})$/;

/**
 * Tells whether a path is one that every program may use: a program of the system, as the program of a command.
 *
 * @param path - The path.
 * @returns True for the folders of the system's programs.
 */
export function isSystemProgram(path: string): boolean {
  return programFolders.test(path);
}

/**
 * Tells whether a path is one of the standard streams, or a device that holds nothing.
 *
 * @param path - The path.
 * @returns True for `/dev/null` and the like.
 */
export function isStream(path: string): boolean {
  return streams.test(path);
}
