const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  hellip: "…",
};

/** An opening or closing tag, or a comment; "a < b" is none. Bounded, so that no text makes it slow. */
const tag =
  /<(?:\/?[a-z][\w:.-]{0,30}(?:\s{1,5}[\w:.-]{1,40}\s?=\s?(?:"[^"<>]{0,300}"|'[^'<>]{0,300}')){0,20}\s?\/?|!--[^<>]{0,1000}--)>/gi;
/** Tags between which there is no word boundary. */
const inlineTag = /^<\/?(?:\w+:)?(?:b|bold|em|i|italic|mark|span|strong|su[bp])\b/i;

/**
 * Turns a piece of HTML or JATS into text: without tags, entities as the characters that they are.
 *
 * @param markup - What a server sent.
 * @returns One line.
 */
export function toPlainText(markup: string): string {
  return toLine(
    markup
      .replace(tag, (found) => (inlineTag.test(found) ? "" : " "))
      .replace(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,6});/gi, (found, name: string) =>
        name.startsWith("#") ? toCharacter(name.slice(1)) : (named[name.toLowerCase()] ?? found),
      ),
  );
}

/** Puts text on one line, without control characters. */
export function toLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

/**
 * Cuts text that is longer than a limit, never in the middle of a character.
 *
 * @param text - Any text.
 * @param maxChars - How many UTF-16 units it may have.
 * @param mark - What a cut one ends with, within the limit. Default: nothing.
 */
export function toShort(text: string, maxChars: number, mark = ""): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars - mark.length).replace(/[\ud800-\udbff]$/, "")}${mark}`;
}

function toCharacter(digits: string): string {
  const code = /^x/i.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number(digits);
  const isCharacter = code > 0 && code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : " ";
}
