import type { FoundPage } from "./search-provider.js";

/** A result begins with its title and soon names its URL, so that a page that says "Title:" makes no result. */
const start = /^(?=Title:[^\n]*\n(?:(?:Author|ID|Published(?: Date)?|Score):[^\n]*\n){0,4}URL:)/m;
const label =
  /^(Title|URL|Author|ID|Published(?: Date)?|Score|Highlights|Text|Content|Summary):(.*)$/;
const nothing = new Set(["", "n/a", "null", "undefined", "none"]);

/**
 * Parses results that are written as text for a model to read.
 *
 * @param text - Blocks of `Title:`, `URL:`, `Published:` and, to the next block, `Highlights:` or `Text:`.
 * @returns The results; undefined when there is no block and the text does not say that nothing was found.
 */
export function parseTextBlocks(text: string): readonly FoundPage[] | undefined {
  const blocks = text
    .replace(/\r\n?/g, "\n")
    .split(start)
    .filter((block) => block.startsWith("Title:"));
  if (blocks.length > 0) return blocks.map(toPage);
  return text.trim() === "" || /\bno\b.{0,40}\b(?:results?|found)\b/i.test(text) ? [] : undefined;
}

function toPage(block: string): FoundPage {
  const fields = new Map<string, string>();
  const lines = block.split("\n");
  let body: string[] = [];
  for (const [at, line] of lines.entries()) {
    const [, name = "", value = ""] = label.exec(line) ?? [];
    if (/^(?:Highlights|Text|Content|Summary)$/.test(name)) {
      body = [value, ...lines.slice(at + 1)];
      break;
    }
    if (name !== "" && !fields.has(name)) fields.set(name, value.trim());
  }
  const published = fields.get("Published") ?? fields.get("Published Date") ?? "";
  return {
    title: fields.get("Title") ?? "",
    url: fields.get("URL") ?? "",
    snippet: body
      .join("\n")
      .replace(/\n-{3,}\s*$/, "")
      .trim(),
    published: nothing.has(published.toLowerCase()) ? null : published,
    score: null,
  };
}
