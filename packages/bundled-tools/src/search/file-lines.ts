import type { LineSource } from "./hunks.js";
import type { LineMatcher } from "./line-matcher.js";
import { readUtf16 } from "./scan-file.js";

/** A longer line is shown in part, around what matches. */
const maxShownChars = 2_000;
const leadChars = 200;

/**
 * Reads the lines of a file, as a search counts them: each ends in LF.
 *
 * @param bytes - The file.
 * @param matcher - Where a long line is cut.
 * @returns The lines; undefined for a binary file.
 */
export function readLines(bytes: Buffer, matcher: LineMatcher): LineSource | undefined {
  const utf16 = readUtf16(bytes);
  const buffer = utf16 === undefined ? bytes : Buffer.from(utf16, "utf8");
  if (buffer.includes(0)) return undefined;
  const starts = [buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf ? 3 : 0];
  for (let at = buffer.indexOf(10); at !== -1; at = buffer.indexOf(10, at + 1)) starts.push(at + 1);
  // What follows the last line break is a line only if there is something.
  if (starts.at(-1) === buffer.length && starts.length > 1) starts.pop();
  return {
    lineCount: starts.length,
    read(number) {
      const start = starts[number - 1] ?? buffer.length;
      const next = starts[number] ?? buffer.length;
      const line = buffer.toString("utf8", start, next).replace(/\r?\n$/, "");
      return toShown(line, matcher);
    },
  };
}

function toShown(line: string, matcher: LineMatcher): string {
  if (line.length <= maxShownChars) return line;
  const from = Math.max(0, matcher.find(line) - leadChars);
  const part = line.slice(from, from + maxShownChars);
  const [before, after] = [from > 0 ? "… " : "", from + maxShownChars < line.length ? " …" : ""];
  return `${before}${part}${after} [${part.length} of ${line.length} characters]`;
}
