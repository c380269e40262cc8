import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import assert from "node:assert/strict";
import type { ContractCase } from "../web/search/search-provider-contract.js";
import type { ContentRequest, FileMatches, SearchBackend } from "./search-backend.js";

/** A backend to check, and a folder to check it in. */
export interface BackendSubject {
  /** The one that is put to the test. */
  readonly backend: SearchBackend;
  /** An empty folder of the test's own; the cases write into folders of theirs in it. */
  readonly folder: string;
}

/**
 * What every search backend must do, as cases for any test runner; each fails by throwing.
 *
 * @param subject - The backend.
 * @returns The cases.
 */
export function searchBackendContract({
  backend,
  folder,
}: BackendSubject): readonly ContractCase[] {
  const check = (name: string, tree: Tree, run: (directory: string) => Promise<void>) => ({
    name,
    run: async () => run(await writeTree(join(folder, name.replace(/\W+/g, "-")), tree)),
  });
  const matches = async (directory: string, request: Partial<ContentRequest> = {}) =>
    toLines((await backend.findMatches({ ...toRequest(directory), ...request })).items);
  const files = async (directory: string, includeIgnored = false) =>
    (await backend.findFiles({ ...toRequest(directory), includeIgnored })).items.toSorted();
  return [
    check("finds lines, numbered from 1", { a: "x\nkey\n", "b/c": "key" }, async (at) =>
      assert.deepEqual(await matches(at), ["a:2", "b/c:1"]),
    ),
    check("takes CRLF for the end of a line", { a: "key\r\nx\r\n" }, async (at) =>
      assert.deepEqual(await matches(at, { pattern: "key$" }), ["a:1"]),
    ),
    check("tells letter case apart only when asked to", { a: "KEY" }, async (at) => {
      assert.deepEqual(await matches(at), []);
      assert.deepEqual(await matches(at, { caseSensitive: false }), ["a:1"]);
    }),
    check("leaves out folders of tools", skippedTree, async (at) => {
      assert.deepEqual(await matches(at, { includeIgnored: true }), ["a:1"]);
      assert.deepEqual(await files(at, true), ["a"]);
    }),
    check("leaves out what .gitignore names in a repository", ignoredTree, async (at) => {
      assert.deepEqual(await files(at), [".gitignore", "a"]);
      assert.deepEqual(await files(at, true), [".gitignore", "a", "b.log"]);
    }),
    check("leaves out binary files", { a: "key\0", b: "key" }, async (at) =>
      assert.deepEqual(await matches(at), ["b:1"]),
    ),
    check("asks which files are wanted", { a: "key", b: "key" }, async (at) =>
      assert.deepEqual(await matches(at, { accepts: (path) => path === "b" }), ["b:1"]),
    ),
    check("searches one file when one is named", { a: "key", b: "key" }, async (at) =>
      assert.deepEqual(await matches(at, { file: "b" }), ["b:1"]),
    ),
    check("keeps no more lines of a file than are of use, and counts all", many, async (at) => {
      const { items } = await backend.findMatches({ ...toRequest(at), maxLinesPerFile: 2 });
      assert.deepEqual(items, [{ path: "a", lines: [1, 2], count: 5 }]);
    }),
    check("ends when the signal does", { a: "key" }, async (at) => {
      const signal = AbortSignal.abort();
      await assert.rejects(backend.findMatches({ ...toRequest(at), signal }));
    }),
  ];
}

type Tree = Readonly<Record<string, string>>;

const skippedTree: Tree = { a: "key", ".git/b": "key", "x/node_modules/c": "key" };
const ignoredTree: Tree = { ".git/HEAD": "", ".gitignore": "*.log", a: "key", "b.log": "key" };
const many: Tree = { a: "key\n".repeat(5) };

async function writeTree(directory: string, tree: Tree): Promise<string> {
  for (const [path, content] of Object.entries(tree)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  }
  return directory;
}

function toRequest(directory: string): ContentRequest {
  return {
    directory,
    accepts: () => true,
    includeIgnored: false,
    pattern: "key",
    caseSensitive: true,
    maxLinesPerFile: 100,
    signal: new AbortController().signal,
  };
}

function toLines(items: readonly FileMatches[]): readonly string[] {
  return items.flatMap(({ path, lines }) => lines.map((line) => `${path}:${line}`)).toSorted();
}
