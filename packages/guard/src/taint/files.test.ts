import { describe, expect, it } from "vitest";
import { findDecodedTexts } from "./decoded-texts.js";
import { isRunnableFile } from "./runnable-file.js";
import { readFileUse, toPlainPath } from "./tainted-files.js";

const use = (command: string): { readonly isRun: boolean; readonly made: readonly string[] } =>
  readFileUse(command, (path) => path === "notes/a.txt" || path === "a.txt");

describe("isRunnableFile()", () => {
  it.each([
    "src/a.ts",
    "A.PY",
    "/repo/.git/hooks/pre-commit",
    String.raw`C:\repo\.git\hooks\post-merge`,
    "Makefile",
    "deploy/Dockerfile.prod",
    ".github/workflows/x.yml",
    "/etc/cron.d/job",
    "~/.bashrc",
    ".env",
    ".env.local",
    "x.sh. ",
    "x.sh::$DATA",
    "package.json",
    "jobs.json",
    "AGENTS.md",
    "file:///home/a/.zshrc",
  ])("knows that %s runs", (path) => {
    expect(isRunnableFile(path)).toBe(true);
  });

  it.each(["notes.md", "docs/a.txt", "data.csv", "README", "image.png", "data.json", "a/shell"])(
    "knows that %s does not",
    (path) => {
      expect(isRunnableFile(path)).toBe(false);
    },
  );
});

describe("readFileUse()", () => {
  it.each([
    "sh notes/a.txt",
    "./a.txt",
    "cd notes && . a.txt",
    "cat a.txt | bash",
    "bash < a.txt",
    "$(cat a.txt)",
    "xargs -a a.txt sh -c",
    "chmod +x notes/a.txt",
    "eval(fs.readFileSync('a.txt','utf8'))",
    "cp a.txt run.sh",
    "cat a.txt > .git/hooks/pre-push",
    "python3 -c \"exec(open('a.txt').read())\"",
  ])("says that it runs: %s", (command) => {
    expect(use(command).isRun).toBe(true);
  });

  it.each([
    "cat a.txt",
    "git add notes/a.txt",
    "npm test",
    "grep -n x a.txt | wc -l",
    "rm a.txt; make",
  ])("says that it does not: %s", (command) => {
    expect(use(command)).toEqual({ isRun: false, made: [] });
  });

  it("names the files that are made of it", () => {
    expect(use("cp a.txt ./b/c.txt").made).toContain("b/c.txt");
    expect(use("cat a.txt > d.txt").made).toEqual(["d.txt"]);
  });
});

describe("toPlainPath()", () => {
  it.each([
    ["./a/../b/C.txt", "b/c.txt"],
    ["file:///x/y", "x/y"],
    [String.raw`..\a\b`, "a/b"],
    ["'a b'", "a b"],
  ])("writes %s as %s", (path, plain) => {
    expect(toPlainPath(path)).toBe(plain);
  });
});

describe("findDecodedTexts()", () => {
  const text = "a command of more than forty characters; id";

  it("reads hex with spaces, and base64 in lines", () => {
    const hex = Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16)).join(" ");
    expect(findDecodedTexts(hex)).toContain(text);
    const lines = btoa(text.repeat(3)).replace(/(.{76})/g, "$1\n");
    expect(findDecodedTexts(lines)).toContain(text.repeat(3));
  });

  it("follows one encoding within another, and ends", () => {
    expect(findDecodedTexts(btoa(btoa(text)))).toContain(text);
    expect(findDecodedTexts("%25".repeat(1_000)).length).toBeLessThanOrEqual(64);
  });

  it("finds nothing in plain text", () => {
    expect(
      findDecodedTexts("export const a = (b: string): string => b.trim(); // 100% plain"),
    ).toEqual([]);
  });
});
