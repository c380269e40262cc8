import { withoutTokens } from "./secrets.js";

/** What could move the cursor, colour the screen, or show text in another order than it has. */
const unprintable =
  // eslint-disable-next-line no-control-regex -- they are exactly what is looked for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

/**
 * Makes text from a file safe to print: control, bidirectional and invisible characters become `\u{…}`.
 *
 * @param text - Any text.
 * @returns One line without anything a terminal would act on.
 */
export function toPlainText(text: string): string {
  return text.replace(unprintable, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Longer names are cut in messages: a problem is one or two lines. */
const maxQuotedCharacters = 60;

/** Quotes a name of the file in a message: safe to print, and short. */
export function toQuoted(text: string): string {
  const shown = text.length > maxQuotedCharacters ? `${text.slice(0, maxQuotedCharacters)}…` : text;
  return `"${toPlainText(shown)}"`;
}

/**
 * Quotes a key of the file in a message: as {@link toQuoted}, without what follows a sign in it, since `NAME=VALUE` or
 * `Header: value` in the place of a name may hold a secret.
 */
export function toQuotedKey(key: string): string {
  return toQuoted(toShownKey(key));
}

/** Cuts a key behind the first `=` or `: `, and masks what looks like a token. */
function toShownKey(key: string): string {
  const sign = /=|:\s/.exec(key);
  const name = withoutTokens(sign === null ? key : key.slice(0, sign.index));
  return sign === null ? name : `${name}${sign[0].trim()}…`;
}
