import { readdirSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { noRules, readIgnoreRules, type IgnoreRules } from "./git-ignore.js";
import type { Pacer } from "../pacer.js";
import { skippedFolders, type SearchRequest } from "./search-backend.js";

/** Where files are found, and what happens to each. */
export interface Walk {
  readonly request: Pick<SearchRequest, "directory" | "accepts" | "includeIgnored">;
  readonly pacer: Pacer;
  /** Takes a wanted file, by its path below the directory. */
  readonly visit: (path: string) => void | Promise<void>;
}

interface Folder {
  /** Below the directory, with `/`; empty for the directory itself. */
  readonly path: string;
  readonly rules: IgnoreRules;
}

const skipped: ReadonlySet<string> = new Set(skippedFolders);

/**
 * Visits the wanted files below a directory. Links are not followed, and folders of tools are not entered.
 *
 * @returns Directories that could not be read.
 * @throws What reading the directory itself throws.
 */
export async function walkFiles({ request, pacer, visit }: Walk): Promise<readonly string[]> {
  const { directory, includeIgnored } = request;
  const rules = includeIgnored ? noRules : readIgnoreRules(directory);
  const pending: Folder[] = [{ path: "", rules }];
  const unreadable: string[] = [];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const entries = readFolder(directory, folder.path);
    if (entries === undefined) unreadable.push(folder.path);
    for (const entry of entries ?? []) {
      const path = folder.path === "" ? entry.name : `${folder.path}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name) && !folder.rules.isIgnored(entry.name, true))
          pending.push({ path, rules: folder.rules.enter(entry.name) });
      } else if (
        entry.isFile() &&
        request.accepts(path) &&
        !folder.rules.isIgnored(entry.name, false)
      ) {
        const visited = visit(path);
        if (visited !== undefined) await visited;
      }
      if (pacer.isDue()) await pacer.pause();
    }
  }
  return unreadable;
}

function readFolder(directory: string, path: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(join(directory, path), { withFileTypes: true });
  } catch (error) {
    if (path === "") throw error;
    return undefined;
  }
}
