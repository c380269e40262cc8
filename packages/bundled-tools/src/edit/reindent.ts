import type { Lines, Span, Wanted } from "./block.js";
import { toIndent } from "./matchers.js";

/**
 * Gives the lines of a replacement the indentation of the block that they replace: what stands in the file decides,
 * not what the caller remembered of it.
 *
 * @param replacement - With LF.
 * @param wanted - What was looked for.
 * @param place - What was found instead.
 * @returns The replacement as it belongs there.
 */
export function toReindented(
  replacement: string,
  wanted: Wanted,
  { lines, span }: { readonly lines: Lines; readonly span: Span },
): string {
  const { block } = span;
  if (block === undefined) return replacement;
  const indents = findIndents(wanted.lines, lines.lines.slice(block.from, block.to));
  const known = [...indents.keys()].toSorted((a, b) => b.length - a.length);
  return replacement
    .split("\n")
    .map((line) => {
      if (line.trim() === "") return line;
      const indent = toIndent(line);
      const key = known.find((each) => indent.startsWith(each));
      return key === undefined ? line : `${indents.get(key) ?? key}${line.slice(key.length)}`;
    })
    .join("\n");
}

/** Which indentation of the caller stands for which one of the file. */
function findIndents(
  wanted: readonly string[],
  found: readonly string[],
): ReadonlyMap<string, string> {
  const indents = new Map<string, string>();
  // Where the blocks differ in size only their first lines surely belong together.
  const pairs = wanted.length === found.length ? wanted.length : 1;
  for (let index = 0; index < pairs; index += 1) {
    const line = wanted[index] ?? "";
    if (line.trim() === "") continue;
    const indent = toIndent(line);
    if (!indents.has(indent)) indents.set(indent, toIndent(found[index] ?? ""));
  }
  return indents;
}
