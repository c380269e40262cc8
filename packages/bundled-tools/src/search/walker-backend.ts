import { open } from "node:fs/promises";
import { join, sep } from "node:path";
import { createPacer } from "../pacer.js";
import { createLineMatcher } from "./line-matcher.js";
import { chunkBytes, readChunks } from "./read-chunks.js";
import { openFlags, readContent, toUnread } from "./read-content.js";
import { isHopeless, scanBytes, scanChunks, type Scan, type ScanResult } from "./scan-file.js";
import { toSearchFailure } from "./search-failure.js";
import {
  comparePaths,
  type ContentRequest,
  type FileMatches,
  type Found,
  type SearchBackend,
} from "./search-backend.js";
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
      const finder = createLineMatcher(request.pattern, request.caseSensitive).createFinder();
      const pacer = createPacer(request.signal);
      const search = new ContentSearch(request, {
        finder,
        pacer,
        maxLines: request.maxLinesPerFile,
      });
      const visit = (path: string): void | Promise<void> => search.visit(path);
      if (request.file !== undefined) {
        if (request.accepts(request.file)) await visit(request.file);
        return search.toFound([]);
      }
      return search.toFound(await walkSafely(() => walkFiles({ request, pacer, visit })));
    },
    async findFiles(request) {
      const items: string[] = [];
      const pacer = createPacer(request.signal);
      const visit = (path: string): void => void items.push(path);
      const unreadable = await walkSafely(() => walkFiles({ request, pacer, visit }));
      return { items, filesScanned: null, unreadable: unreadable.toSorted(comparePaths) };
    },
  };
}

class ContentSearch {
  readonly #request: ContentRequest;
  readonly #scan: Scan;
  readonly #items: FileMatches[] = [];
  readonly #unreadable: string[] = [];
  #filesScanned = 0;

  constructor(request: ContentRequest, scan: Scan) {
    this.#request = request;
    this.#scan = scan;
  }

  /** No promise for a file without a match: for most files it would cost more than the file. */
  visit(path: string): void | Promise<void> {
    const { directory } = this.#request;
    const full = sep === "/" ? `${directory}/${path}` : join(directory, path);
    const content = readContent(full);
    if (content === "unreadable") this.#unreadable.push(path);
    if (content === "large") return this.#scanLarge(path, full);
    if (typeof content === "string") return undefined;
    this.#filesScanned += 1;
    return isHopeless(content, this.#scan.finder)
      ? undefined
      : scanBytes(content, this.#scan).then((result) => this.#take(path, result));
  }

  toFound(folders: readonly string[]): Found<FileMatches> {
    return {
      items: this.#items,
      filesScanned: this.#filesScanned,
      unreadable: [...folders, ...this.#unreadable].toSorted(comparePaths),
    };
  }

  async #scanLarge(path: string, full: string): Promise<void> {
    try {
      const file = await open(full, openFlags);
      try {
        this.#filesScanned += 1;
        this.#take(path, await scanChunks(readChunks(file, chunkBytes), this.#scan));
      } finally {
        await file.close();
      }
    } catch (error) {
      this.#request.signal.throwIfAborted();
      if (toUnread(error) === "unreadable") this.#unreadable.push(path);
    }
  }

  #take(path: string, { lines, count }: ScanResult): void {
    if (count > 0) this.#items.push({ path, lines, count });
  }
}

async function walkSafely(walk: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await walk();
  } catch (error) {
    throw toSearchFailure(error);
  }
}
