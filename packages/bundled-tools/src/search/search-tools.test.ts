import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { JsonObject } from "@postern/tool";
import { afterEach, describe, expect, it } from "vitest";
import { createRootFolder } from "../files/root-folder.js";
import { findFilesTool } from "./find-files.js";
import { grepTool } from "./grep.js";
import { createRipgrepBackend } from "./ripgrep-backend.js";
import { createWalkerBackend } from "./walker-backend.js";

const paths = (answer: { files: { path: string }[] }) => answer.files.map(({ path }) => path);

const made: string[] = [];
afterEach(async () => {
  for (const path of made.splice(0)) await rm(path, { recursive: true });
});

async function openTree(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "search-"));
  made.push(root);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
  return root;
}

describe.each([createRipgrepBackend(), createWalkerBackend()])(
  "on the backend $name",
  (backend) => {
    const around = (root: string, variables: Record<string, string> = {}) => ({
      root: createRootFolder(root),
      env: (name: string) => variables[name],
      guard: { isRoot: () => false, allowRoot: () => false },
      backend,
    });
    const grep = async (root: string, args: JsonObject, variables = {}) =>
      (await grepTool(around(root, variables)).run(args)).structuredContent as JsonObject & {
        files: {
          path: string;
          hunks: {
            start: number;
            end: number;
            lines: { n: number; text: string; match: boolean }[];
          }[];
        }[];
      };
    const find = async (root: string, args: JsonObject) =>
      (await findFilesTool(around(root)).run(args)).structuredContent as JsonObject;

    describe("grep", () => {
      it("groups matches with the lines around them, and merges what overlaps", async () => {
        const root = await openTree({
          "a.txt": Array.from({ length: 20 }, (_, i) =>
            i % 9 === 4 || i === 6 ? `hit ${i + 1}` : `line ${i + 1}`,
          ).join("\n"),
        });
        expect((await grep(root, { pattern: "hit", context_lines: 1 })).files).toEqual([
          {
            path: "a.txt",
            hunks: [
              {
                start: 4,
                end: 8,
                lines: [
                  { n: 4, text: "line 4", match: false },
                  { n: 5, text: "hit 5", match: true },
                  { n: 6, text: "line 6", match: false },
                  { n: 7, text: "hit 7", match: true },
                  { n: 8, text: "line 8", match: false },
                ],
              },
              {
                start: 13,
                end: 15,
                lines: [
                  { n: 13, text: "line 13", match: false },
                  { n: 14, text: "hit 14", match: true },
                  { n: 15, text: "line 15", match: false },
                ],
              },
            ],
          },
        ]);
      });

      it("shows as many matching lines as asked for, over many files with one each, and counts all", async () => {
        const root = await openTree(
          Object.fromEntries(
            Array.from({ length: 30 }, (_, i) => [`f${String(i).padStart(2, "0")}`, "x\n"]),
          ),
        );
        const answer = await grep(root, { pattern: "x", max_results: 12 });
        expect(answer).toMatchObject({ match_count: 30, shown_count: 12, truncated: true });
        expect(paths(answer)).toEqual(
          Array.from({ length: 12 }, (_, i) => `f${String(i).padStart(2, "0")}`),
        );
        expect(await grep(root, { pattern: "x", max_results: 30 })).toMatchObject({
          shown_count: 30,
          truncated: false,
        });
      });

      it("never shows what is in .git or node_modules, whatever include says", async () => {
        const root = await openTree({
          "a.py": "key",
          ".git/c.py": "key",
          "node_modules/d.py": "key",
          "x/node_modules/e.py": "key",
        });
        const includes = ["*.py", "**/*.py", ".git/*.py", "node_modules/**", "**/node_modules/**"];
        const found = await Promise.all(
          includes.map((include) => grep(root, { pattern: "key", include, include_ignored: true })),
        );
        expect(found.map(paths)).toEqual([["a.py"], ["a.py"], [], [], []]);
      });

      it("searches a folder of that name when it is asked for", async () => {
        const root = await openTree({ "node_modules/d.py": "key" });
        expect(paths(await grep(root, { pattern: "key", path: "node_modules" }))).toEqual([
          "node_modules/d.py",
        ]);
      });

      it("survives a line of a megabyte, and shows what is around the match", async () => {
        const root = await openTree({
          "long.txt": `${"a".repeat(1_000_000)}needle${"b".repeat(1_000_000)}\n`,
        });
        const [file] = (await grep(root, { pattern: "needle" })).files;
        const text = file?.hunks[0]?.lines[0]?.text ?? "";
        expect(text).toContain("needle");
        expect(text).toContain("2000006 bytes");
        expect(text.length).toBeLessThan(2_200);
      });

      it("finds lines that are not UTF-8, and in UTF-16", async () => {
        const root = await openTree({
          latin: Buffer.from("caf\xe9 needle\n", "latin1"),
          wide: Buffer.from("\ufeffthe needle\n", "utf16le"),
        });
        expect(paths(await grep(root, { pattern: "needle" }))).toEqual(["latin", "wide"]);
      });

      it("takes ** for any number of folders, none included, and * for one level", async () => {
        const root = await openTree({ "top.py": "x", "src/in.py": "x", "src/deep/under.py": "x" });
        const includes = ["**/*.py", "src/*.py", "src/**/*.py", "{top,in}.py", "*.ts"];
        const found = await Promise.all(
          includes.map((include) => grep(root, { pattern: "x", include })),
        );
        expect(found.map(paths)).toEqual([
          ["src/deep/under.py", "src/in.py", "top.py"],
          ["src/in.py"],
          ["src/deep/under.py", "src/in.py"],
          ["src/in.py", "top.py"],
          [],
        ]);
      });

      it("searches a single file, and says no more is there when exactly the limit was found", async () => {
        const root = await openTree({ "b/x.txt": "one\ntwo\n", "b/y.txt": "one\n" });
        expect(
          await grep(root, {
            pattern: "one|two",
            path: "b/x.txt",
            max_results: 2,
            context_lines: 0,
          }),
        ).toMatchObject({
          match_count: 2,
          truncated: false,
          files: [{ path: "b/x.txt", hunks: [{ start: 1, end: 2 }] }],
        });
      });

      it("answers in one order, folder by folder", async () => {
        const root = await openTree({ "b.txt": "x", "b/a": "x", "a/z": "x", B: "x", "a-1": "x" });
        expect(paths(await grep(root, { pattern: "x" }))).toEqual([
          "B",
          "a/z",
          "a-1",
          "b/a",
          "b.txt",
        ]);
      });

      it("does not search files that usually hold secrets, says so, and does when asked to", async () => {
        const root = await openTree({
          ".env": "KEY=1",
          ".ssh/config": "KEY=2",
          "keys.md": "KEY=3",
          "plan.own": "KEY=4",
        });
        const variables = { POSTERN_SENSITIVE_PATTERNS: "*.own" };
        const answer = await grep(root, { pattern: "KEY" }, variables);
        expect(paths(answer)).toEqual(["keys.md"]);
        expect(answer).toMatchObject({
          match_count: 1,
          note: expect.stringContaining("include_sensitive"),
        });
        expect(paths(await grep(root, { pattern: "KEY", path: ".ssh" }))).toEqual([]);
        expect(paths(await grep(root, { pattern: "KEY", path: ".env" }))).toEqual([]);
        const all = await grep(root, { pattern: "KEY", include_sensitive: true }, variables);
        expect(paths(all)).toEqual([".env", ".ssh/config", "keys.md", "plan.own"]);
      });

      it("tells nothing of a secret by how often a pattern matches", async () => {
        const root = await openTree({ ".env": "KEY=abc\n", a: "x" });
        expect(await grep(root, { pattern: "KEY=a" })).toEqual(
          await grep(root, { pattern: "KEY=b" }).then((other) => ({ ...other, pattern: "KEY=a" })),
        );
      });

      it("stays within 100,000 characters, and says how many matches are cut", async () => {
        const root = await openTree({ big: `${"y".repeat(1_500)}\n`.repeat(200) });
        const answer = await grep(root, { pattern: "y", max_results: 1_000 });
        expect(JSON.stringify(answer.files).length).toBeLessThan(110_000);
        expect(answer).toMatchObject({
          match_count: 200,
          shown_count: 66,
          truncated: true,
          note: expect.stringContaining("134 more"),
        });
      });

      it("stops at no expression that would try for ever", async () => {
        const root = await openTree({
          a: `${"a".repeat(30_000)}!\n`.repeat(3),
          b: `${"a".repeat(1_900)}!\n`.repeat(50),
        });
        const start = performance.now();
        for (const pattern of ["(a+)+$", "(a|aa)+$", "a*a*a*a*a*b", "(.*)*x"])
          await grep(root, { pattern });
        expect(performance.now() - start).toBeLessThan(15_000);
      });

      it.each(["(", "(?=a)", "\\1", "[z-a]", "a\\nb", "*", "\\Qa"])(
        "refuses the pattern %s",
        async (pattern) => {
          const root = await openTree({ a: "a" });
          expect(await grep(root, { pattern })).toMatchObject({
            code: "INVALID_PATTERN",
            files: [],
          });
        },
      );

      it("reads files in parts, and keeps count of their lines", async () => {
        const filler = `${"é".repeat(49)}\n`.repeat(30_000);
        const root = await openTree({
          a: `${filler}needle one\r\n${filler}needle two`,
          b: Buffer.concat([Buffer.from(filler), Buffer.from("needle\n\0")]),
          c: Buffer.from(`\ufeff${filler}needle three\n`, "utf16le"),
        });
        const answer = await grep(root, { pattern: "need[l]e", context_lines: 0 });
        expect(
          answer.files.map(({ path, hunks }) => [path, hunks.flatMap(({ lines }) => lines)]),
        ).toEqual([
          [
            "a",
            [
              { n: 30_001, text: "needle one", match: true },
              { n: 60_002, text: "needle two", match: true },
            ],
          ],
          ["c", [{ n: 30_001, text: "needle three", match: true }]],
        ]);
        expect(answer).toMatchObject({ match_count: 3 });
      });

      it("counts no match of a binary file, shown or not", async () => {
        const root = await openTree({ a: "key\n", b: `key\n${"x\n".repeat(100_000)}\0` });
        expect(await grep(root, { pattern: "key", max_results: 1 })).toMatchObject({
          match_count: 1,
          truncated: false,
        });
      });

      it("finds files with any name", async () => {
        const root = await openTree({ "a\nb": "key", ": ü": "key", "-e": "key" });
        expect(paths(await grep(root, { pattern: "key" }))).toEqual(["-e", ": ü", "a\nb"]);
      });

      it("leaves out binary files", async () => {
        const root = await openTree({
          a: "needle\0",
          b: `needle\n${"x".repeat(200_000)}\0`,
          c: "needle",
        });
        expect(paths(await grep(root, { pattern: "needle" }))).toEqual(["c"]);
      });

      it("follows no link, and leaves nothing outside the root to be found", async () => {
        const root = await openTree({ "in/a": "needle", "out/b": "needle" });
        await symlink("../out", join(root, "in/link"));
        await symlink("../out/b", join(root, "in/file"));
        const inner = join(root, "in");
        expect(paths(await grep(inner, { pattern: "needle" }))).toEqual(["a"]);
        expect(await grep(inner, { pattern: "needle", path: "link" })).toMatchObject({
          code: "PATH_OUTSIDE_ROOT",
        });
        expect(await grep(inner, { pattern: "needle", path: "nope" })).toMatchObject({
          code: "PATH_NOT_FOUND",
        });
      });

      it("finds patterns that look like options", async () => {
        const root = await openTree({ "-v": "--files" });
        expect(paths(await grep(root, { pattern: "--files" }))).toEqual(["-v"]);
        expect(paths(await grep(root, { pattern: "--files", path: "-v" }))).toEqual(["-v"]);
      });
    });

    describe("find_files", () => {
      it("finds by name at every depth, and by path with a slash", async () => {
        const root = await openTree({
          "a.ts": "",
          "src/b.ts": "",
          "src/x/c.ts": "",
          "node_modules/d.ts": "",
          ".git/e.ts": "",
        });
        expect(await find(root, { pattern: "*.ts" })).toMatchObject({
          files: ["a.ts", "src/b.ts", "src/x/c.ts"],
          truncated: false,
        });
        expect(await find(root, { pattern: "src/*.ts" })).toMatchObject({ files: ["src/b.ts"] });
        expect(await find(root, { path: "src", max_results: 1 })).toMatchObject({
          files: ["src/b.ts"],
          truncated: true,
        });
      });

      it("honours .gitignore inside a git repository unless asked not to", async () => {
        const root = await openTree({
          ".git/HEAD": "",
          ".gitignore": "*.log\ndist/\n!keep.log\n",
          "a.log": "",
          "keep.log": "",
          "dist/x": "",
          "sub/.gitignore": "y\n",
          "sub/y": "",
          "sub/z": "",
        });
        expect(await find(root, {})).toMatchObject({
          files: [".gitignore", "keep.log", "sub/.gitignore", "sub/z"],
        });
        expect(await find(join(root, "sub"), {})).toMatchObject({ files: [".gitignore", "z"] });
        expect(await find(root, { include_ignored: true })).toMatchObject({
          files: [".gitignore", "a.log", "dist/x", "keep.log", "sub/.gitignore", "sub/y", "sub/z"],
        });
      });

      it("finds what is in a directory that is left out when it is asked for", async () => {
        const root = await openTree({ ".git/HEAD": "", ".gitignore": "/out/\n", "out/x": "" });
        expect(await find(root, { path: "out" })).toMatchObject({ files: ["out/x"] });
      });

      it("honours what a repository leaves out for itself, also in a further worktree", async () => {
        const root = await openTree({
          "one/.git/info/exclude": "*.tmp\n",
          "one/.gitignore": "!keep.tmp\n",
          "one/a.tmp": "",
          "one/keep.tmp": "",
          "one/.git/worktrees/two/commondir": "../..\n",
          "two/a.tmp": "",
          "two/b": "",
        });
        await writeFile(join(root, "two/.git"), `gitdir: ${root}/one/.git/worktrees/two\n`);
        expect(await find(root, {})).toMatchObject({
          files: ["one/.gitignore", "one/keep.tmp", "two/.git", "two/b"],
        });
      });

      it("does not take .gitignore for rules outside a repository", async () => {
        const root = await openTree({
          ".gitignore": "*.log\n",
          "a.log": "",
          "repo/.git/HEAD": "",
          "repo/.gitignore": "b*\n",
          "repo/b": "",
          "repo/a.log": "",
        });
        expect(await find(root, {})).toMatchObject({
          files: [".gitignore", "a.log", "repo/.gitignore", "repo/a.log"],
        });
      });

      it("needs a directory", async () => {
        const root = await openTree({ a: "" });
        expect(await find(root, { path: "a" })).toMatchObject({
          code: "NOT_A_DIRECTORY",
          files: [],
        });
      });
    });
  },
);
