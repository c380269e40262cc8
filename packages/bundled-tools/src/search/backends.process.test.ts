import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openFolder, type Folder } from "@postern/test-kit";
import type { JsonObject } from "@postern/tool";
import { rgPath } from "@vscode/ripgrep";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRootFolder } from "../files/root-folder.js";
import { grepTool } from "./grep.js";
import { createRipgrepBackend } from "./ripgrep-backend.js";
import {
  comparePaths,
  type ContentRequest,
  type FileMatches,
  type SearchBackend,
} from "./search-backend.js";
import { createWalkerBackend } from "./walker-backend.js";

const run = promisify(execFile);
const backends: readonly SearchBackend[] = [createRipgrepBackend(), createWalkerBackend()];

const search = async (
  backend: SearchBackend,
  request: { directory: string; pattern: string } & Partial<ContentRequest>,
) => {
  const found = await backend.findMatches({
    accepts: () => true,
    includeIgnored: true,
    caseSensitive: true,
    maxLinesPerFile: 1_000_000,
    signal: new AbortController().signal,
    ...request,
  });
  return toText(found.items);
};

const toText = (items: readonly FileMatches[]): string[] =>
  items
    .toSorted((a, b) => comparePaths(a.path, b.path))
    .flatMap(({ path, lines }) => lines.map((line) => `${path}:${line}`));

/** What ripgrep itself says, run as a user runs it. */
async function searchByHand(directory: string, args: readonly string[]): Promise<string[]> {
  const { stdout } = await run(
    rgPath,
    [
      "--no-config",
      "--hidden",
      "--crlf",
      "-n",
      "--no-heading",
      "--null",
      "--max-columns=1",
      ...args,
      "./",
    ],
    { cwd: directory, maxBuffer: 1e9, encoding: "latin1" },
  ).catch((error: { code: number; stdout: string }) => ({ stdout: error.stdout }));
  const lines = stdout.split("\n").filter((line) => line.includes("\0"));
  return lines
    .map((line) => {
      const [name = "", rest = ""] = line.split("\0");
      return [
        Buffer.from(name, "latin1").toString("utf8").slice(2),
        Number.parseInt(rest, 10),
      ] as const;
    })
    .toSorted(([a, n], [b, m]) => comparePaths(a, b) || n - m)
    .map(([name, number]) => `${name}:${number}`);
}

const skips = [
  ".git",
  ".hg",
  ".svn",
  ".tox",
  ".nox",
  ".venv",
  "venv",
  "__pycache__",
  "node_modules",
  ".mypy_cache",
  ".ruff_cache",
  ".pytest_cache",
  ".postern-cache",
].flatMap((name) => ["-g", `!${name}/`]);

/** 50,000 files in 500 folders; some ignored, some binary, some in other encodings. */
function writeTree(root: string): void {
  execFileSync("git", ["init", "-q"], { cwd: root });
  writeFileSync(join(root, ".gitignore"), "*.log\n/build/\n!keep.log\n");
  for (let folder = 0; folder < 500; folder += 1) {
    const at = join(root, `d${folder % 20}`, `e${folder}`);
    mkdirSync(at, { recursive: true });
    if (folder % 50 === 0) writeFileSync(join(at, ".gitignore"), "f1*.txt\n!f11.txt\n");
    for (let file = 0; file < 100; file += 1)
      writeFileSync(
        join(at, `f${file}.${file % 10 === 9 ? "log" : "txt"}`),
        toContent(folder, file),
      );
  }
  writeFileSync(join(root, "d0", "keep.log"), "needle in keep\n");
  mkdirSync(join(root, "build"));
  writeFileSync(join(root, "build", "x.txt"), "needle\n");
  mkdirSync(join(root, "node_modules"));
  writeFileSync(join(root, "node_modules", "x.txt"), "needle\n");
  symlinkSync("../..", join(root, "d0", "up"));
}

function toContent(folder: number, file: number): Buffer {
  const lines = Array.from(
    { length: 12 },
    (_, line) =>
      `line ${line} of ${folder}/${file} value=${(folder * 31 + file * 7 + line) % 1000}`,
  );
  if ((folder + file) % 25 === 0) lines[5] = "a Needle and a needle; naïve café ÄÖÜ";
  const ending = file % 7 === 0 ? "\r\n" : "\n";
  const text = lines.join(ending) + (file % 3 === 0 ? "" : ending);
  if (file % 40 === 1)
    return Buffer.concat([
      Buffer.from(text),
      Buffer.from([0xff, 0xfe, 0x0a]),
      Buffer.from("needle \xe9\n", "latin1"),
    ]);
  if (file % 40 === 2) return Buffer.concat([Buffer.from("needle\0"), Buffer.from(text)]);
  if (file % 40 === 3)
    return Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`${text}\nneedle\n`, "utf16le")]);
  if (file % 40 === 4) return Buffer.from(`\ufeffneedle first\n${text}`);
  return Buffer.from(text);
}

let tree: Folder;
beforeAll(async () => {
  tree = await openFolder();
  writeTree(tree.path);
}, 120_000);
afterAll(async () => {
  await tree[Symbol.asyncDispose]();
});

/** What each backend finds; the same, so that one expectation does for both. */
const searchAll = async (directory: string, pattern: string, extra = {}) => {
  const found: string[][] = [];
  for (const backend of backends)
    found.push(await search(backend, { directory, pattern, ...extra }));
  return found;
};

async function toAnswer(backend: SearchBackend): Promise<unknown> {
  const tool = grepTool({
    root: createRootFolder(tree.path),
    env: () => undefined,
    guard: { isRoot: () => false, allowRoot: () => false },
    backend,
  });
  const { structuredContent } = await tool.run({ pattern: "(?i)needle", max_results: 1_000 });
  return { ...(structuredContent as JsonObject), files_scanned: null };
}

describe("both backends, against ripgrep by hand on 50,000 files", () => {
  it.each(["value=9\\d\\d$", "Needle.*caf\\w|(foo|value=77)\\b"])(
    "find the same lines for %s",
    async (pattern) => {
      const expected = await searchByHand(tree.path, ["--no-ignore", "-e", pattern, ...skips]);
      expect(expected.length).toBeGreaterThan(0);
      expect(await searchAll(tree.path, pattern)).toEqual([expected, expected]);
    },
  );

  it("find the same lines in any letter case", async () => {
    const args = ["--no-ignore", "-i", "-e", "nEEdle|\\bäöü", ...skips];
    const expected = await searchByHand(tree.path, args);
    expect(await searchAll(tree.path, "nEEdle|\\bäöü", { caseSensitive: false })).toEqual([
      expected,
      expected,
    ]);
  });

  it("leave out the same files for .gitignore", async () => {
    const expected = await searchByHand(tree.path, ["-e", "needle", ...skips]);
    const found = await searchAll(tree.path, "needle", { includeIgnored: false });
    expect(found).toEqual([expected, expected]);
    expect(expected).toContain("d0/keep.log:1");
    expect(expected.filter((line) => line.startsWith("build/"))).toEqual([]);
  });

  it("answer with the same text", async () => {
    const [ripgrep, walker] = await Promise.all(backends.map(toAnswer));
    expect(ripgrep).toMatchObject({ shown_count: 1_000, truncated: true });
    expect(ripgrep).toEqual(walker);
  });

  it("list the same files", async () => {
    const args = ["--no-config", "--hidden", "--files", ...skips, "./"];
    const { stdout } = await run(rgPath, args, { cwd: tree.path, maxBuffer: 1e9 });
    const expected = stdout
      .split("\n")
      .slice(0, -1)
      .map((name) => name.slice(2))
      .toSorted(comparePaths);
    const { signal } = new AbortController();
    const request = { directory: tree.path, accepts: () => true, includeIgnored: false, signal };
    const found = await Promise.all(backends.map((backend) => backend.findFiles(request)));
    expect(found.map(({ items }) => items.toSorted(comparePaths))).toEqual([expected, expected]);
  });
});

const nasty = Buffer.concat(
  [
    "caf\xc3\xa9 latin caf\xe9 \xff\xfe",
    "a\rb\rc",
    "x\r",
    "",
    "\r",
    "\xc5\xbf \xe2\x84\xaa K k s \xc3\x9f \xe1\xba\x9e",
    "\xd9\xa3 \xf0\x9d\x9f\x99 1",
    "\xe2\x80\xa8\xc2\x85\xc2\xa0\x0b\x0c\t",
    "\xf0\x9f\x98\x80\xf0\x9f a_b-c.d",
    "\xed\xa0\x80 half",
    "e\xcc\x81 \xe2\x80\x8d \xce\xa3\xcf\x83\xcf\x82",
    "function f(x) { return [x]; }",
  ].flatMap((line) => [Buffer.from(`${line}\r\n`, "latin1"), Buffer.from(`${line}\n`, "latin1")]),
);

describe("both backends, against ripgrep by hand on a file that is no plain text", () => {
  it.each([
    [
      "caf.",
      "caf\\w",
      "[^a-z]latin",
      "\\W{2}",
      ".$",
      "^.?$",
      "^$",
      "c$",
      "^b",
      "a.b",
      "a\\sb",
      "a[^x]b",
    ],
    [
      "\\w\\b",
      "\\b\\W",
      "[^\\s]x",
      "\\d \\d",
      "\\D\\d$",
      "[\\W\\d]{3}",
      "\\S\\S\\S\\S",
      "\\p{L}\\p{M}",
      "\\x{1F600}",
    ],
    [
      "(?i)\\x{3c3}{3}",
      "(?i:ſ)",
      "(?i)[k]",
      "(?i)ß ß",
      "(?i)\\p{Lu}$",
      "[[:punct:]]",
      "(a|_)(b|-)",
      "f\\(x\\) \\{",
    ],
  ])("find the same lines for %s and others", async (...patterns) => {
    await using folder = await openFolder();
    writeFileSync(folder.join("file"), nasty);
    const found = [];
    for (const pattern of patterns) {
      const expected = await searchByHand(folder.path, ["-e", pattern]);
      found.push([pattern, await searchAll(folder.path, pattern), [expected, expected]] as const);
    }
    expect(found.map(([pattern, each]) => [pattern, each])).toEqual(
      found.map(([pattern, , each]) => [pattern, each]),
    );
  });
});

const store = fileURLToPath(new URL("../../../../node_modules/.pnpm", import.meta.url));

describe("both backends, against ripgrep by hand on installed packages", () => {
  it("find the same lines", { timeout: 60_000 }, async () => {
    const wanted = ["zod", "fast-check", "mammoth", "linkedom", "turndown", "typescript"];
    const installed = await readdir(store);
    const names = wanted.flatMap(
      (name) => installed.find((each) => each.startsWith(`${name}@`)) ?? [],
    );
    const found = { lines: 0, packages: 0 };
    for (const name of names)
      for (const pattern of [
        "\\bTODO\\b|FIXME",
        "^export (?:default )?\\w+",
        "\\W{30}",
        "ß|\\p{Greek}",
      ]) {
        // The folder that a search begins in is searched whatever its name.
        const directory = join(store, name, "node_modules");
        const expected = await searchByHand(directory, ["--no-ignore", "-e", pattern, ...skips]);
        expect(await searchAll(directory, pattern)).toEqual([expected, expected]);
        found.lines += expected.length;
        found.packages += pattern.startsWith("ß") ? 1 : 0;
      }
    expect(found.lines).toBeGreaterThan(1_000);
    expect(found.packages).toBeGreaterThan(5);
  });
});
