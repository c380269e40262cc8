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
  isBinary: boolean;
}

const lineFeed = 10;
const colon = 58;

/** What ripgrep says of a file in which a NUL byte comes after a match. It may stand before the next path. */
const binaryWord =
  /^([\s\S]*?): (?:WARNING: stopped searching binary file after match|binary file matches) \(found "\\0" byte around offset \d+\)\n/;

/**
 * Makes a reader.
 *
 * @param maxLines - How many line numbers of one file to keep.
 */
export function createRipgrepOutput(maxLines: number): RipgrepOutput {
  const files = new Map<string, Collected>();
  let rest: Buffer = Buffer.alloc(0);
  let last: { readonly name: Buffer; readonly file: Collected } | undefined;
  const findFile = (path: string): Collected => {
    const file = files.get(path) ?? { lines: [], count: 0, isBinary: false };
    files.set(path, file);
    return file;
  };
  /** Takes the words on binary files that come first; tells where they end. */
  const takeWords = (head: Buffer): number => {
    let at = 0;
    while (head.includes(lineFeed, at)) {
      const word = binaryWord.exec(head.toString("latin1", at));
      if (word === null) break;
      findFile(toPath(Buffer.from(word[1] ?? "", "latin1"))).isBinary = true;
      at += word[0].length;
    }
    return at;
  };
  const take = (head: Buffer, number: number): void => {
    // The matches of a file come together; its name is decoded once.
    if (last === undefined || !last.name.equals(head)) {
      // A name may have a line break in it too.
      const name = head.subarray(takeWords(head));
      last = { name: Buffer.from(name), file: findFile(toPath(name)) };
    }
    last.file.count += 1;
    if (last.file.lines.length < maxLines) last.file.lines.push(number);
  };
  return {
    push(chunk) {
      const buffer = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      let at = 0;
      for (let split = buffer.indexOf(0); split !== -1; split = buffer.indexOf(0, at)) {
        const end = buffer.indexOf(lineFeed, split);
        if (end === -1) break;
        const number = buffer.toString("latin1", split + 1, buffer.indexOf(colon, split));
        take(buffer.subarray(at, split), Number(number));
        at = end + 1;
      }
      rest = buffer.subarray(at);
    },
    finish() {
      takeWords(rest);
      return Array.from(files, ([path, file]) => ({ path, ...file }))
        .filter(({ isBinary }) => !isBinary)
        .map(({ path, lines, count }) => ({ path, lines: lines.toSorted((a, b) => a - b), count }));
    },
  };
}

/** Paths begin with `./`, because the directory is named so. */
export function toPath(name: Buffer): string {
  const path = name.toString("utf8");
  return (sep === "\\" ? path.replaceAll("\\", "/") : path).replace(/^\.\//, "");
}
