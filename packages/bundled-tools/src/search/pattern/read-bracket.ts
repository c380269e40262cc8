import { toCodeSet, toComplement, toFolded, toUnion, type CodeSet } from "./code-set.js";
import {
  assertSearchable,
  countRanges,
  readCharacter,
  refuse,
  toEscaped,
  type Characters,
  type Cursor,
} from "./cursor.js";
import { readEscape, type Escape } from "./read-escape.js";

/** The classes with names, which are of ASCII. */
const named: Readonly<Record<string, CodeSet>> = {
  alnum: [48, 57, 65, 90, 97, 122],
  alpha: [65, 90, 97, 122],
  ascii: [0, 127],
  blank: [9, 9, 32, 32],
  cntrl: [0, 31, 127, 127],
  digit: [48, 57],
  graph: [33, 126],
  lower: [97, 122],
  print: [32, 126],
  punct: [33, 47, 58, 64, 91, 96, 123, 126],
  space: [9, 13, 32, 32],
  upper: [65, 90],
  word: [48, 57, 65, 90, 95, 95, 97, 122],
  xdigit: [48, 57, 65, 70, 97, 102],
};

/**
 * Reads a class in brackets.
 *
 * @throws {PosternError} `INVALID_PATTERN`
 */
export function readBracket(cursor: Cursor): Characters {
  const { pattern } = cursor;
  cursor.at += 1;
  const isNegated = pattern[cursor.at] === "^";
  if (isNegated) cursor.at += 1;
  const items: Characters[] = [];
  do {
    const item = readItem(cursor);
    countRanges(cursor, item.set.length);
    items.push(item);
  } while (cursor.at < pattern.length && pattern[cursor.at] !== "]");
  if (cursor.at >= pattern.length) throw refuse("a [ is never closed");
  cursor.at += 1;
  const set = toUnion(items.map((item) => item.set));
  const folded = cursor.ignoresCase ? toFolded(set) : set;
  const text = `[${isNegated ? "^" : ""}${items.map((item) => item.text).join("")}]`;
  return {
    set: isNegated ? toComplement(folded) : folded,
    text: cursor.ignoresCase ? `(?i:${text})` : text,
  };
}

function readItem(cursor: Cursor): Characters {
  const { pattern, at } = cursor;
  if (at >= pattern.length) throw refuse("a [ is never closed");
  // Other engines reckon with classes by these.
  const two = pattern.slice(at, at + 2);
  if (two === "&&" || two === "~~" || (two === "--" && pattern[at + 2] !== "]"))
    throw refuse(`${two} in a class has two meanings: put a backslash before both signs`);
  const name = /^\[:(\^?)([a-z]+):\]/.exec(pattern.slice(at, at + 20));
  if (name !== null) return readNamed(cursor, name);
  const first = readOne(cursor);
  const isRange = pattern[cursor.at] === "-" && (pattern[cursor.at + 1] ?? "]") !== "]";
  if (!("code" in first)) return first;
  if (!isRange) return { set: [first.code, first.code], text: toEscaped(first.code) };
  cursor.at += 1;
  const last = readOne(cursor);
  if (!("code" in last)) throw refuse("a range in a class ends in another class");
  if (last.code < first.code) throw refuse("a range in a class goes backwards");
  const text = `${toEscaped(first.code)}-${toEscaped(last.code)}`;
  return { set: toCodeSet([[first.code, last.code]]), text };
}

function readNamed(cursor: Cursor, [whole, caret, name = ""]: RegExpExecArray): Characters {
  const set = named[name];
  if (set === undefined) throw refuse(`no class of characters is named ${name}`);
  cursor.at += whole.length;
  return { set: caret === "^" ? toComplement(set) : set, text: whole };
}

function readOne(cursor: Cursor): Escape {
  if (cursor.at >= cursor.pattern.length) throw refuse("a [ is never closed");
  const isEscape = cursor.pattern[cursor.at] === "\\";
  const one = isEscape ? readEscape(cursor) : { code: readCharacter(cursor) };
  // A line break in a class is taken out of it, as ripgrep does.
  if ("code" in one && one.code !== 10 && one.code !== 13 && one.code !== 0)
    assertSearchable(one.code);
  return one;
}
