import { spawnSync } from "node:child_process";
import { cp } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, it } from "vitest";
import { openRepository } from "./fixture/repository.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const oxlint = createRequire(join(root, "package.json")).resolve("oxlint/package.json");

const longFunction = `export function long(): number {\n${"  go();\n".repeat(60)}  return 1;\n}\n`;
const test = (code: string): string => `import { expect, it, vi } from "vitest";\n${code}\n`;

/** A file with one fault for each rule that must be on. */
const planted = {
  "typescript(no-explicit-any)": ["packages/a/src/b1.ts", "export const a: any = 1;"],
  "eslint(no-console)": ["packages/a/src/b2.ts", "console.log(1);"],
  "node(no-process-env)": ["packages/a/src/b3.ts", "export const a = process.env;"],
  "eslint(no-restricted-properties)": ["packages/a/src/b4.ts", "export const a = process.argv;"],
  "unicorn(no-process-exit)": ["packages/a/src/b5.ts", "process.exit(1);"],
  "eslint(no-restricted-imports)": ["packages/a/src/b6.ts", 'export { env } from "node:process";'],
  "eslint(max-lines)": ["packages/a/src/b7.ts", "export {};\n".repeat(401)],
  "eslint(max-lines-per-function)": ["packages/a/src/b8.ts", longFunction],
  "eslint(max-params)": [
    "packages/a/src/b9.ts",
    "export const f = (a: 1, b: 1, c: 1, d: 1) => [a, b, c, d];",
  ],
  "typescript(no-floating-promises)": ["packages/a/src/b10.ts", "Promise.resolve(1);"],
  "typescript(ban-ts-comment)": ["packages/a/src/b11.ts", "// @ts-ignore\nexport const a = 1;"],
  "unicorn(filename-case)": ["packages/a/src/badName.ts", "export {};"],
  "vitest(no-restricted-vi-methods)": ["packages/a/src/b12.test.ts", test('vi.mock("node:fs");')],
  "vitest(valid-title)": [
    "packages/a/src/b13.test.ts",
    test('it("should go", () => { expect(1).toBe(1); });'),
  ],
  "vitest(expect-expect)": ["packages/a/src/b14.test.ts", test('it("goes", () => {});')],
  "vitest(no-focused-tests)": [
    "packages/a/src/b15.test.ts",
    test('it.only("goes", () => { expect(1).toBe(1); });'),
  ],
  "vitest(no-disabled-tests)": [
    "packages/a/src/b16.test.ts",
    test('it.skip("goes", () => { expect(1).toBe(1); });'),
  ],
  "vitest(no-conditional-expect)": [
    "packages/a/src/b17.test.ts",
    test('it("goes", () => { if (vi) expect(1).toBe(1); });'),
  ],
} as const;

const cycle = {
  "packages/a/src/c.ts": 'import type { D } from "./d.js";\nexport type C = D;',
  "packages/a/src/d.ts": 'import type { C } from "./c.js";\nexport type D = C;',
};
const free = {
  "apps/a/src/main.ts": "console.log(process.argv, process.env);\n",
  "packages/a/src/bin.ts": "console.log(process.argv, process.env);\n",
};

let found: ReadonlySet<string> = new Set();

beforeAll(async () => {
  const faults = Object.fromEntries(Object.values(planted));
  const tsconfig = {
    compilerOptions: { module: "NodeNext", strict: true, types: [] },
    include: ["packages/*/src"],
  };
  await using repository = await openRepository({
    ...faults,
    ...cycle,
    ...free,
    "tsconfig.json": tsconfig,
  });
  await cp(join(root, ".oxlintrc.json"), repository.join(".oxlintrc.json"));
  const { stdout } = spawnSync(
    process.execPath,
    [join(dirname(oxlint), "bin/oxlint"), "--format=json"],
    {
      cwd: repository.path,
      encoding: "utf8",
      timeout: 60_000,
      env: { ...process.env, OXLINT_TSGOLINT_PATH: join(root, "node_modules/.bin/tsgolint") },
    },
  );
  const report = JSON.parse(stdout) as {
    readonly diagnostics: readonly { readonly code: string; readonly filename: string }[];
  };
  found = new Set(report.diagnostics.map(({ code, filename }) => `${code} ${filename}`));
}, 60_000);

it.for(Object.entries(planted))("%s is on", ([rule, [file]]) => {
  expect([...found]).toContain(`${rule} ${file}`);
});

it("import(no-cycle) is on, for type imports too", () => {
  expect([...found].filter((each) => each.startsWith("import(no-cycle)"))).not.toEqual([]);
});

it("apps and bin files may read the process and print", () => {
  const files = Object.keys(free);
  expect([...found].filter((each) => files.some((file) => each.endsWith(` ${file}`)))).toEqual([]);
});
