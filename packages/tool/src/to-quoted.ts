/** Controls, what turns or hides text, blanks that are none or look like one, and halves of pairs. */
const unseen = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * Quotes text of a server, a tool or a path for a question to a person, so that it can neither look like our own words
 * nor hide: in double quotes, with everything that is not seen as it is written as `\u` escapes.
 *
 * @param text - The text.
 * @param maxLength - Longest result, in UTF-16 units, its quotes included.
 * @returns The quoted text; undefined when it does not fit. It is never cut: half of a path is another path.
 */
export function toQuoted(text: string, maxLength: number): string | undefined {
  if (text.length + 2 > maxLength) return undefined;
  const quoted = `"${text.replace(/["\\]/g, "\\$&").replace(unseen, toEscapes)}"`;
  return quoted.length > maxLength ? undefined : quoted;
}

function toEscapes(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");
}
