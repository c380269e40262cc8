import { expect, it } from "vitest";
import { byPathPattern } from "./path-glob.js";

it.each([
  ["*.py", ["a.py", "x/a.py", "x/y/a.py"], ["a.pyc", "x.py/a"]],
  ["**/*.py", ["a.py", "x/y/a.py"], ["a.pyc"]],
  ["src/*.py", ["src/a.py"], ["src/x/a.py", "a.py", "x/src/a.py"]],
  ["src/**", ["src/a", "src/x/a"], ["src", "a"]],
  ["/a.py", ["a.py"], ["x/a.py"]],
  ["./a.py", ["a.py"], ["x/a.py"]],
  ["a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["a/x", "b"]],
  ["src/{a,b}/*.ts", ["src/a/x.ts", "src/b/x.ts"], ["src/c/x.ts"]],
  ["*.ts *.tsx", ["a.ts", "x/a.tsx"], ["a.js"]],
  ["[a-c]?.md", ["b1.md"], ["d1.md", "b.md"]],
  ["*", ["a", "x/y", ".hidden"], []],
  ["", [], ["a"]],
] as const)("%j is about %j and not about %j", (pattern, fits, others) => {
  const isWanted = byPathPattern(pattern);
  expect([fits.filter(isWanted), others.filter(isWanted)]).toEqual([fits, []]);
});

it("takes time that grows with pattern and path, and not with their powers", () => {
  const isWanted = byPathPattern(`${"**/a*/".repeat(60)}b`);
  const start = performance.now();
  expect(isWanted(`${"a".repeat(50)}/`.repeat(100))).toBe(false);
  expect(performance.now() - start).toBeLessThan(2_000);
});
