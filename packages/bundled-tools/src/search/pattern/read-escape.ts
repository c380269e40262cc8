import { findNodeSet, toComplement, toFolded, type CodeSet } from "./code-set.js";
import { readCharacter, refuse, type Characters, type Cursor } from "./cursor.js";

/** What a backslash makes: one character, or a class of them, which ripgrep has to be told the letter case of. */
export type Escape = { readonly code: number } | Characters;

/** What ripgrep's engine means by these, in Unicode. */
const classes: Readonly<Record<string, string>> = {
  d: "\\p{Nd}",
  w: "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}",
  s: "\\p{White_Space}",
};

/** The characters of words. */
export function findWordSet(): CodeSet {
  return findNodeSet(classes["w"] ?? "") ?? [];
}

const controls: Readonly<Record<string, number>> = { a: 7, t: 9, n: 10, v: 11, f: 12, r: 13 };

/**
 * Reads a backslash and what belongs to it.
 *
 * @throws {PosternError} `INVALID_PATTERN`
 */
export function readEscape(cursor: Cursor): Escape {
  cursor.at += 1;
  if (cursor.at >= cursor.pattern.length) throw refuse("it ends in a single backslash");
  const code = readCharacter(cursor);
  const name = String.fromCodePoint(code);
  const source = classes[name.toLowerCase()];
  if (source !== undefined && /[A-Za-z]/.test(name)) {
    const set = findNodeSet(source) ?? [];
    return { set: name === name.toLowerCase() ? set : toComplement(set), text: `\\${name}` };
  }
  if (name === "p" || name === "P") return readProperty(cursor, name === "P");
  if (name === "x" || name === "u") return { code: readHex(cursor, name) };
  const control = controls[name];
  if (control !== undefined) return { code: control };
  if (/[!-/:;=?@[-`{-~ ]/.test(name)) return { code };
  throw refuse(toReason(name));
}

function toReason(name: string): string {
  if (/[1-9]/.test(name)) return `\\${name} refers back, which no engine does in bounded time`;
  if (name === "A" || name === "z" || name === "Z")
    return `\\${name} is not known here: ^ and $ are the ends of a line`;
  if (name === "<" || name === ">")
    return `\\${name} has two meanings: write \\b for the edge of a word, or the sign alone`;
  return `\\${name} is not known here`;
}

function readHex(cursor: Cursor, name: "x" | "u"): number {
  const form =
    name === "x"
      ? /^(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,6})\})/
      : /^(?:([0-9A-Fa-f]{4})|\{([0-9A-Fa-f]{1,6})\})/;
  const found = form.exec(cursor.pattern.slice(cursor.at, cursor.at + 10));
  if (found === null) throw refuse(`\\${name} has no number of a character after it`);
  cursor.at += found[0].length;
  return Number.parseInt(found[1] ?? found[2] ?? "", 16);
}

/** `\pL`, `\p{L}`, `\p{Greek}`, `\p{Script=Greek}`. */
function readProperty(cursor: Cursor, isNegated: boolean): Characters {
  const found = /^(?:([A-Za-z])|\{(\^?)([A-Za-z_]{1,60}(?:=[A-Za-z_]{1,60})?)\})/.exec(
    cursor.pattern.slice(cursor.at, cursor.at + 130),
  );
  if (found === null) throw refuse("\\p has no name of a class after it");
  cursor.at += found[0].length;
  const name = found[1] ?? found[3] ?? "";
  const set = findNodeSet(`\\p{${name}}`) ?? findNodeSet(`\\p{Script=${name}}`);
  if (set === undefined) throw refuse(`no class of characters is named ${name}`);
  const folded = cursor.ignoresCase ? toFolded(set) : set;
  const isLeftOut = isNegated !== (found[2] === "^");
  const text = `\\${isLeftOut ? "P" : "p"}{${name}}`;
  return { set: isLeftOut ? toComplement(folded) : folded, text };
}
