import type { JsonSpan } from "./json-node.js";

/** One token of a JSON text. `problem` is a sentence about a text that is none. */
export type JsonToken = JsonSpan &
  (
    | { readonly kind: "{" | "}" | "[" | "]" | "," | ":" | "end" }
    | { readonly kind: "string"; readonly value: string }
    | { readonly kind: "number"; readonly value: number }
    | { readonly kind: "boolean"; readonly value: boolean }
    | { readonly kind: "null"; readonly value: null }
    | BadToken
  );

type BadToken = JsonSpan & {
  readonly kind: "bad";
  readonly code: string;
  readonly problem: string;
};

const blank = /[ \t\r\n]*/y;
const blankOrComments = /(?:[ \t\r\n]|\/\/[^\r\n]*|\/\*[^]*?\*\/)*/y;
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const wrongEscape = /\\(?!["\\/bfnrt]|u[0-9A-Fa-f]{4})/;
const quote = 0x22;
const backslash = 0x5c;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const word = /[A-Za-z0-9_$+.-]+/y;

/**
 * Cuts a JSON text into tokens, one at each call; after the last it gives `end`.
 *
 * @param text - Without a byte order mark.
 * @param comments - Whether `//` and block comments may stand between tokens.
 */
export function createJsonTokens(text: string, comments: boolean): () => JsonToken {
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found === "" ? undefined : found;
  };
  return () => {
    take(comments ? blankOrComments : blank);
    const offset = at;
    const first = text[at];
    if (first === undefined) return { kind: "end", offset, end: at };
    if (isPunctuation(first)) {
      at += 1;
      return { kind: first, offset, end: at };
    }
    if (first === '"') {
      const token = readString(text, offset);
      at = token.end;
      return token;
    }
    const digits = first === "-" || (first >= "0" && first <= "9") ? take(number) : undefined;
    const rest = take(word);
    const span = { offset, end: at };
    if (digits !== undefined && rest === undefined) return toNumber(digits, span);
    return toLiteral(digits === undefined ? rest : undefined, text, span);
  };
}

function isPunctuation(character: string): character is "{" | "}" | "[" | "]" | "," | ":" {
  return "{}[],:".includes(character);
}

function toNumber(digits: string, span: JsonSpan): JsonToken {
  const value = Number(digits);
  if (Number.isFinite(value)) return { kind: "number", ...span, value };
  return bad(span.offset, "This number is too large.");
}

function toLiteral(name: string | undefined, text: string, span: JsonSpan): JsonToken {
  if (name === "true" || name === "false")
    return { kind: "boolean", ...span, value: name === "true" };
  if (name === "null") return { kind: "null", ...span, value: null };
  const first = text[span.offset];
  if (first === "/" || first === "#") return toCommentToken(text, span.offset);
  return bad(
    span.offset,
    first === "'"
      ? "Text stands in double quotes in JSON, not in single ones."
      : "This is not JSON: expected a text in double quotes, a number, true, false, null, an object or an array.",
  );
}

function toCommentToken(text: string, offset: number): BadToken {
  const endless = text.startsWith("/*", offset) && !text.includes("*/", offset + 2);
  const problem = endless
    ? "This comment has no end: close it with */."
    : "A comment of this kind is not allowed in this file. Take it out.";
  return { kind: "bad", offset, end: offset, code: "COMMENT", problem };
}

function readString(text: string, offset: number): JsonToken {
  for (let index = offset + 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === quote) return toStringToken(text, offset, index + 1);
    if (code === backslash) index += 1;
    if (code === lineFeed || code === carriageReturn) break;
    if (code < space)
      return bad(
        index,
        "A control character cannot stand in a text: write it as an escape, for instance \\t.",
      );
  }
  return bad(offset, 'This text has no end: close it with " on the same line.');
}

function toStringToken(text: string, offset: number, end: number): JsonToken {
  const written = text.slice(offset, end);
  const escape = wrongEscape.exec(written.replace(/\\\\/g, "__"));
  if (escape !== null)
    return bad(
      offset + escape.index,
      "This escape is not one of JSON. For a backslash write two of them.",
    );
  return { kind: "string", offset, end, value: JSON.parse(written) as string };
}

function bad(offset: number, problem: string): BadToken {
  return { kind: "bad", offset, end: offset, code: "SYNTAX", problem };
}
