import { sep } from "node:path";
import type { FileMatches } from "./search-backend.js";

/** Reads what `rg --null --line-number` writes, `path NUL number:text`, as it comes. */
export interface RipgrepOutput {
  push(chunk: Buffer): void;
  finish(): readonly FileMatches[];
}

interface Collected {
  readonly lines: number[];
  count: number;
}

const lineFeed = 10;
const colon = 58;

/**
 * Makes a reader.
 *
 * @param maxLines - How many line numbers of one file to keep.
 */
export function createRipgrepOutput(maxLines: number): RipgrepOutput {
  const files = new Map<string, Collected>();
  let rest: Buffer = Buffer.alloc(0);
  let last: { readonly name: Buffer; readonly file: Collected } | undefined;
  const take = (line: Buffer): void => {
    const split = line.indexOf(0);
    // What is no match, such as a word on a binary file.
    if (split === -1) return;
    const name = line.subarray(0, split);
    // The matches of a file come together; its name is decoded once.
    if (last === undefined || !last.name.equals(name)) {
      const path = toPath(name);
      const file = files.get(path) ?? { lines: [], count: 0 };
      files.set(path, file);
      last = { name: Buffer.from(name), file };
    }
    last.file.count += 1;
    if (last.file.lines.length < maxLines)
      last.file.lines.push(Number(line.toString("latin1", split + 1, line.indexOf(colon, split))));
  };
  return {
    push(chunk) {
      const buffer = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      let at = 0;
      for (let end = buffer.indexOf(lineFeed); end !== -1; end = buffer.indexOf(lineFeed, at)) {
        take(buffer.subarray(at, end));
        at = end + 1;
      }
      rest = buffer.subarray(at);
    },
    finish: () =>
      Array.from(files, ([path, { lines, count }]) => ({
        path,
        lines: lines.toSorted((a, b) => a - b),
        count,
      })),
  };
}

/** Paths begin with `./`, because the directory is named so. */
export function toPath(name: Buffer): string {
  const path = name.toString("utf8");
  return (sep === "\\" ? path.replaceAll("\\", "/") : path).replace(/^\.\//, "");
}
