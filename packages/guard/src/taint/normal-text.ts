const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&#34;": '"',
  "&nbsp;": " ",
};
const entity = /&(?:amp|lt|gt|quot|nbsp|#39|#34);/g;
const unicodeEscape = /\\u([0-9a-f]{4})/gi;
const foreign = /[^\0-\x7f]/;
const unevenBlank = /[^\S ]| {2}/;
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/**
 * Writes a text so that spellings which a shell, an interpreter or a reader takes for the same come out the same:
 * letter case, blanks, quotes, backslashes, escapes of JSON, entities of HTML, full-width and invisible characters.
 *
 * @param text - Any text.
 * @returns The text to compare by.
 */
export function toNormal(text: string): string {
  let normal = text;
  if (foreign.test(normal)) normal = normal.normalize("NFKC").replace(invisible, "");
  if (normal.includes("&")) normal = normal.replace(entity, (name) => entities[name] ?? name);
  if (normal.includes("$")) normal = normal.replace(/\$(?:IFS\b|\{IFS\})(?:\$\d)?/g, " ");
  if (normal.includes("\\"))
    normal = normal
      .replace(unicodeEscape, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replace(/\\[nrt]/g, " ");
  normal = normal.toLowerCase().replace(/["'`\\]+/g, "");
  return unevenBlank.test(normal) ? normal.replace(/\s+/g, " ") : normal;
}
