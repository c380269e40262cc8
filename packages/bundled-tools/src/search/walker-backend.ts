import { sep } from "node:path";
import { createLineMatcher } from "./line-matcher.js";
import { createPacer } from "../pacer.js";
import { isHopeless, readWhole, scanBytes } from "./scan-file.js";
import { toSearchFailure } from "./search-failure.js";
import type { FileMatches, SearchBackend } from "./search-backend.js";
import { walkFiles } from "./walk-files.js";

/**
 * Makes the backend that needs nothing but Node. It works in short slices, so that the server goes on answering.
 *
 * @returns The backend.
 */
export function createWalkerBackend(): SearchBackend {
  return {
    name: "walker",
    async findMatches(request) {
      const matcher = createLineMatcher(request.pattern, request.caseSensitive);
      const pacer = createPacer(request.signal);
      const items: FileMatches[] = [];
      let filesScanned = 0;
      const scan = async (path: string, bytes: Buffer): Promise<void> => {
        const maxLines = request.maxLinesPerFile;
        const { lines, count } = await scanBytes(bytes, matcher, { maxLines, pacer });
        if (count > 0) items.push({ path, lines, count });
      };
      // No promise for a file without a match: for most files it would cost more than the file.
      const visit = (path: string): void | Promise<void> => {
        const bytes = readWhole(`${request.directory}${sep}${path}`);
        if (bytes === undefined) return undefined;
        filesScanned += 1;
        return isHopeless(bytes, matcher) ? undefined : scan(path, bytes);
      };
      if (request.file !== undefined) {
        if (request.accepts(request.file)) await visit(request.file);
        return { items, filesScanned, unreadable: [] };
      }
      const unreadable = await walkSafely(() => walkFiles({ request, pacer, visit }));
      return { items, filesScanned, unreadable };
    },
    async findFiles(request) {
      const items: string[] = [];
      const pacer = createPacer(request.signal);
      const visit = (path: string): void => void items.push(path);
      const unreadable = await walkSafely(() => walkFiles({ request, pacer, visit }));
      return { items, filesScanned: null, unreadable };
    },
  };
}

async function walkSafely(walk: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await walk();
  } catch (error) {
    throw toSearchFailure(error);
  }
}
