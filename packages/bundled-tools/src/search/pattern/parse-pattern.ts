import { toComplement, toUnion, type CodeSet } from "./code-set.js";
import {
  countRanges,
  readCharacter,
  refuse,
  toCharacters,
  type Characters,
  type Cursor,
} from "./cursor.js";
import { readBracket } from "./read-bracket.js";
import { readEscape } from "./read-escape.js";

/** A pattern, read. */
export type Node =
  | { readonly kind: "set"; readonly set: CodeSet; readonly text: string }
  | { readonly kind: "start" | "end" | "boundary" | "inner" }
  | { readonly kind: "all" | "any"; readonly parts: readonly Node[] }
  | { readonly kind: "repeat"; readonly part: Node; readonly min: number; readonly max: number };

const maxDepth = 100;
const maxRepeat = 1_000;

/**
 * Reads a regular expression. Both backends are given what is read here, never the pattern as it was written: so a
 * sign that engines take in different ways has one meaning, and what one of them lacks is refused for both.
 *
 * @param pattern - In RE2 syntax.
 * @param caseSensitive - Whether upper and lower case differ.
 * @throws {PosternError} `INVALID_PATTERN`
 */
export function parsePattern(pattern: string, caseSensitive: boolean): Node {
  const cursor: Cursor = { pattern, at: 0, ignoresCase: !caseSensitive, ranges: 0 };
  const node = readChoice(cursor, 0);
  if (cursor.at < pattern.length) throw refuse("a ) closes no group");
  return node;
}

function readChoice(cursor: Cursor, depth: number): Node {
  if (depth > maxDepth) throw refuse("its groups lie too deep in each other");
  const choices = [readSequence(cursor, depth)];
  while (cursor.pattern[cursor.at] === "|") {
    cursor.at += 1;
    choices.push(readSequence(cursor, depth));
  }
  const [only] = choices;
  return only !== undefined && choices.length === 1 ? only : { kind: "any", parts: choices };
}

function readSequence(cursor: Cursor, depth: number): Node {
  const parts: Node[] = [];
  const { pattern } = cursor;
  while (cursor.at < pattern.length && pattern[cursor.at] !== "|" && pattern[cursor.at] !== ")") {
    const part = readPart(cursor, depth);
    if (part !== undefined) parts.push(readRepeat(cursor, part));
  }
  return { kind: "all", parts };
}

/** Reads one part; undefined for one that only sets options. */
function readPart(cursor: Cursor, depth: number): Node | undefined {
  const sign = cursor.pattern[cursor.at];
  if (sign === "(") return readGroup(cursor, depth);
  if (sign === "[") return toSet(readBracket(cursor), cursor);
  if (sign === "\\") return readBackslash(cursor);
  if (readCount(cursor) !== undefined) throw refuse("a repeat has nothing before it to repeat");
  const code = readCharacter(cursor);
  if (sign === "^") return { kind: "start" };
  if (sign === "$") return { kind: "end" };
  if (sign === ".") return toSet({ set: [0, 0x10ffff], text: "." }, cursor);
  return toSet(toCharacters(code, cursor.ignoresCase), cursor);
}

function readBackslash(cursor: Cursor): Node {
  const next = cursor.pattern[cursor.at + 1];
  if (next === "b" || next === "B") {
    cursor.at += 2;
    if (cursor.pattern[cursor.at] === "{") throw refuse(`\\${next}{ is not known here`);
    return { kind: next === "b" ? "boundary" : "inner" };
  }
  const escape = readEscape(cursor);
  if ("code" in escape) return toSet(toCharacters(escape.code, cursor.ignoresCase), cursor);
  const { set, text } = escape;
  return toSet({ set, text: cursor.ignoresCase ? `(?i:${text})` : text }, cursor);
}

/** Line breaks are taken out of every class, as ripgrep does: no match goes over two lines. */
function toSet({ set, text }: Characters, cursor: Cursor): Node {
  countRanges(cursor, set.length);
  // One character: none of those, which were refused before.
  if (set.length === 2 && set[0] === set[1] && set[0] !== 10 && set[0] !== 13 && set[0] !== 0)
    return { kind: "set", set, text };
  const left = toComplement(toUnion([toComplement(set), [10, 10, 13, 13]]));
  if (left.length === 0 || (left[0] === 0 && left[1] === 0 && left.length === 2))
    throw refuse("a class holds nothing that can be in a line");
  return { kind: "set", set: left, text };
}

function readGroup(cursor: Cursor, depth: number): Node | undefined {
  const outer = cursor.ignoresCase;
  // Options that stand alone hold until the group around them ends.
  if (!readGroupStart(cursor)) return undefined;
  const inner = readChoice(cursor, depth + 1);
  if (cursor.pattern[cursor.at] !== ")") throw refuse("a ( is never closed");
  cursor.at += 1;
  cursor.ignoresCase = outer;
  return inner;
}

/** Reads `(`, `(?:`, `(?<name>`, `(?i:` or `(?i)`; false for the last, which is no group. */
function readGroupStart(cursor: Cursor): boolean {
  const rest = cursor.pattern.slice(cursor.at, cursor.at + 100);
  if (/^\(\?<?[=!]/.test(rest))
    throw refuse("it looks around, which no engine does in bounded time");
  const start =
    /^\((?:\?(?:P?<[A-Za-z_]\w*>|([a-zA-Z]*)(?:-([a-zA-Z]*))?([:)])))?/.exec(rest)?.[0] ?? "(";
  if (start === "(" && rest[1] === "?") throw refuse("it has a ( ? that is not known here");
  const [, on = "", off = "", end] = /^\(\?([a-zA-Z]*)(?:-([a-zA-Z]*))?([:)])$/.exec(start) ?? [];
  const unknown = /[^imsU]/.exec(on)?.[0] ?? /[^isU]/.exec(off)?.[0];
  if (unknown !== undefined) throw refuse(`the option ${unknown} is not known here`);
  if (start === "(?)" || start.endsWith("-)") || start.endsWith("-:"))
    throw refuse("it has a ( ? that is not known here");
  cursor.at += start.length;
  if (on.includes("i")) cursor.ignoresCase = true;
  if (off.includes("i")) cursor.ignoresCase = false;
  return end !== ")";
}

function readRepeat(cursor: Cursor, part: Node): Node {
  const count = readCount(cursor);
  if (count === undefined) return part;
  if (count.max < count.min) throw refuse("a repeat has a largest count below its smallest");
  if (count.min > maxRepeat || (count.max > maxRepeat && count.max !== Infinity))
    throw refuse(`a repeat counts beyond ${maxRepeat}`);
  // How many are taken first makes no difference to whether a line matches.
  if (cursor.pattern[cursor.at] === "?") cursor.at += 1;
  if (readCount(cursor) !== undefined)
    throw refuse("a repeat is itself repeated: put it in a group");
  return { kind: "repeat", part, ...count };
}

/** Reads `*`, `+`, `?` or `{2,3}`; a brace that is none of these is a character. */
function readCount(cursor: Cursor): { readonly min: number; readonly max: number } | undefined {
  const text = cursor.pattern.slice(cursor.at, cursor.at + 24);
  const sign = /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})/.exec(text);
  if (sign === null) return undefined;
  cursor.at += sign[0].length;
  if (sign[1] === undefined)
    return { min: sign[0] === "+" ? 1 : 0, max: sign[0] === "?" ? 1 : Infinity };
  const min = Number(sign[1]);
  if (sign[2] === undefined) return { min, max: min };
  return { min, max: sign[3] === "" ? Infinity : Number(sign[3]) };
}
