import { searchErrors } from "../errors.js";
import { toFolded, type CodeSet } from "./code-set.js";

/** Some characters, and how ripgrep is told of them. */
export interface Characters {
  readonly set: CodeSet;
  readonly text: string;
}

/** Where the reading of a pattern is. */
export interface Cursor {
  readonly pattern: string;
  at: number;
  /** Whether letter case does not matter from here on. */
  ignoresCase: boolean;
  /** How many ranges of characters were reckoned with. */
  ranges: number;
}

/** More than any pattern written by hand needs; each takes its time. */
const maxRanges = 100_000;

/** Refuses patterns that would keep the server busy with their classes alone. */
export function countRanges(cursor: Cursor, count: number): void {
  cursor.ranges += count;
  if (cursor.ranges > maxRanges) throw refuse("it has too many classes of characters");
}

/** Makes the error for what cannot be searched for. */
export function refuse(reason: string): Error {
  return searchErrors.INVALID_PATTERN({ reason });
}

/** The character at the cursor, which moves on. */
export function readCharacter(cursor: Cursor): number {
  const code = cursor.pattern.codePointAt(cursor.at) ?? 0;
  cursor.at += code > 0xffff ? 2 : 1;
  return code;
}

/** Refuses what is in no line that is searched. */
export function assertSearchable(code: number): void {
  if (code === 10 || code === 13)
    throw refuse("it asks for a line break, and lines are searched one by one");
  if (code === 0) throw refuse("it asks for a NUL character, and files with one are left out");
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
    throw refuse("it has no real character");
}

/** One character, in every letter case if that does not matter. */
export function toCharacters(code: number, ignoresCase: boolean): Characters {
  assertSearchable(code);
  const set = [code, code];
  const folded = ignoresCase ? toFolded(set) : set;
  const text = toEscaped(code);
  const isSame = folded.length === 2 && folded[0] === folded[1];
  return isSame ? { set, text } : { set: folded, text: `(?i:${text})` };
}

/** A character as ripgrep takes it for itself, in a class as well. */
export function toEscaped(code: number): string {
  const text = String.fromCodePoint(code);
  return /[\\.+*?()|[\]{}^$#&~-]/.test(text) ? `\\${text}` : text;
}
