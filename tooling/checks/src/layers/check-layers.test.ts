import { expect, it } from "vitest";
import { openRepository, toManifest, type Files } from "../fixture/repository.js";
import { checkLayers } from "./check-layers.mjs";

const table = {
  floors: [
    { floor: 0, name: "ground", packages: ["@postern/low"] },
    { floor: 1, name: "capability", packages: ["@postern/left", "@postern/right"] },
    { floor: 2, name: "apps", packages: ["@postern/one", "@postern/two"] },
    { floor: 3, name: "tooling", packages: ["@postern/kit"] },
  ],
  testOnly: ["@postern/kit"],
  nodeFree: { "@postern/low": ["."], "@postern/left": ["."] },
  nodeOnly: ["@hono/node-server"],
  oneDoor: ["@modelcontextprotocol/*"],
};
const low = { dependencies: { "@postern/low": "workspace:^" } };
const inOrder: Files = {
  "layers.json": table,
  "packages/low/package.json": toManifest("@postern/low"),
  "packages/low/src/index.ts": "export const low = 1;",
  "packages/left/package.json": toManifest("@postern/left", {
    ...low,
    devDependencies: { "@postern/kit": "workspace:*" },
  }),
  "packages/left/src/index.ts": 'import { low } from "@postern/low";\nexport const left = low;',
  "packages/left/src/index.test.ts": 'import "@postern/kit";\nimport "vitest";',
  "packages/left/examples/a.ts": 'import "@postern/left";',
  "packages/right/package.json": toManifest("@postern/right", low),
  "packages/right/src/index.ts": "export const right = 1;",
  "apps/one/package.json": toManifest("@postern/one"),
  "apps/one/src/index.ts": 'import "node:fs";',
  "apps/two/package.json": toManifest("@postern/two"),
  "apps/two/src/index.ts": "export {};",
  "tooling/kit/package.json": toManifest("@postern/kit"),
  "tooling/kit/src/index.ts": "export {};",
};

/** What is found once these files are changed. */
async function check(files: Files): Promise<readonly string[]> {
  await using repository = await openRepository({ ...inOrder, ...files });
  return checkLayers(repository.path);
}

const dependsOn = (name: string, ...others: readonly string[]): object =>
  toManifest(name, {
    dependencies: Object.fromEntries(others.map((other) => [other, "workspace:^"])),
  });

it("finds nothing in a repository in order", async () => {
  expect(await check({})).toEqual([]);
});

it("lets what tests use import what is there for tests", async () => {
  const files = {
    "packages/left/fixtures/a.ts": 'import "@postern/kit";',
    "packages/left/test/b.mjs": 'import "@postern/kit";',
  };
  expect(await check(files)).toEqual([]);
});

it("finds an import that points up", async () => {
  expect(
    await check({
      "packages/low/package.json": dependsOn("@postern/low", "@postern/left"),
      "packages/low/src/index.ts": 'import "@postern/left";',
      "packages/left/src/index.ts": "",
    }),
  ).toEqual([
    "packages/low/package.json: @postern/low (floor 0) points up to @postern/left (floor 1)",
    "packages/low/src/index.ts:1: @postern/low (floor 0) points up to @postern/left (floor 1)",
  ]);
});

it.for([
  ["a type import", 'import type { Right } from "@postern/right";'],
  ["an import type", 'export type Other = import("@postern/right").Right;'],
  ["a re-export", 'export { right } from "@postern/right";'],
  ["a dynamic import", 'export const open = () => import("@postern/right");'],
] as const)("finds a sideways arrow in %s", async ([, code]) => {
  const problems = await check({
    "packages/left/package.json": dependsOn("@postern/left", "@postern/right"),
    "packages/left/src/index.test.ts": undefined,
    "packages/left/src/index.ts": code,
  });
  expect(problems).toEqual([
    "packages/left/package.json: @postern/left (floor 1) points sideways to @postern/right (floor 1)",
    "packages/left/src/index.ts:1: @postern/left (floor 1) points sideways to @postern/right (floor 1)",
  ]);
});

it("finds an app that imports an app", async () => {
  expect(
    await check({
      "apps/one/package.json": dependsOn("@postern/one", "@postern/two"),
      "apps/one/src/index.ts": 'import "@postern/two";',
    }),
  ).toContain(
    "apps/one/src/index.ts:1: @postern/one (floor 2) points sideways to @postern/two (floor 2)",
  );
});

it("finds a test package in shipped code", async () => {
  expect(
    await check({
      "packages/low/package.json": dependsOn("@postern/low", "@postern/kit"),
      "packages/low/src/index.ts": 'import "@postern/kit";',
    }),
  ).toContain(
    "packages/low/src/index.ts:1: @postern/low (floor 0) points up to @postern/kit (floor 3)",
  );
});

it("finds a package that is used but not declared", async () => {
  expect(
    await check({
      "packages/right/package.json": toManifest("@postern/right"),
      "packages/right/src/index.ts": 'import "@postern/low";\nimport "zod";',
    }),
  ).toEqual([
    "packages/right/src/index.ts:1: imports @postern/low, which the package.json of @postern/right does not declare",
    "packages/right/src/index.ts:2: imports zod, which the package.json of @postern/right does not declare",
  ]);
});

it("finds a development dependency in shipped code", async () => {
  expect(
    await check({
      "packages/right/package.json": toManifest("@postern/right", {
        devDependencies: { zod: "4" },
      }),
      "packages/right/src/index.ts": 'import type { z } from "zod";',
      "packages/right/src/index.test.ts": 'import "zod";',
    }),
  ).toEqual([
    "packages/right/src/index.ts:1: imports zod, which the package.json of @postern/right does not declare",
  ]);
});

it("finds a relative import that leaves its package", async () => {
  expect(
    await check({ "packages/right/src/index.ts": 'import "../../low/src/index.js";' }),
  ).toEqual(["packages/right/src/index.ts:1: leaves its package through ../../low/src/index.js"]);
});

it("finds an import that reaches into another package", async () => {
  expect(
    await check({ "packages/right/src/index.ts": 'import "@postern/low/src/index.js";' }),
  ).toEqual([
    "packages/right/src/index.ts:1: @postern/low/src/index.js is not among the exports of @postern/low",
  ]);
});

it("finds a package that imports itself by name", async () => {
  expect(await check({ "packages/right/src/index.ts": 'import "@postern/right";' })).toEqual([
    "packages/right/src/index.ts:1: imports its own package by name (@postern/right)",
  ]);
});

it("finds an import cycle made of types", async () => {
  expect(
    await check({
      "packages/right/src/index.ts": 'export type { B } from "./b.js";',
      "packages/right/src/b.ts": 'import type { C } from "./c.js";\nexport type B = C;',
      "packages/right/src/c.ts": 'export type C = import("./b.js").B;',
    }),
  ).toEqual([
    "import cycle: packages/right/src/b.ts → packages/right/src/c.ts → packages/right/src/b.ts",
  ]);
});

it("finds a third party that enters by two doors", async () => {
  const sdk = "@modelcontextprotocol/client";
  expect(
    await check({
      "packages/right/package.json": dependsOn("@postern/right", sdk),
      "packages/right/src/a.ts": `import "${sdk}";`,
      "packages/right/src/b.ts": `import type { Client } from "${sdk}";`,
      "packages/right/src/c.ts": `import "${sdk}/stdio";`,
      "packages/right/src/b.test.ts": `import "${sdk}";`,
    }),
  ).toEqual([
    `${sdk} enters @postern/right by two doors: packages/right/src/a.ts, packages/right/src/b.ts`,
  ]);
});

it.for([
  ["a module of Node", 'import "node:fs";', "node:fs needs Node"],
  ["a module without its prefix", 'import "fs";', "fs needs Node"],
  ["a type of Node", 'import type { Readable } from "node:stream";', "node:stream needs Node"],
  ["a third party for Node", 'import "@hono/node-server";', "@hono/node-server needs Node"],
  ["a global of Node", "export const a = Buffer.from([]);", "Buffer is Node's"],
] as const)("finds %s behind a root that runs without Node", async ([, code, problem]) => {
  const problems = await check({
    "packages/low/package.json": dependsOn("@postern/low", "@hono/node-server"),
    "packages/low/src/index.ts": 'export { deep } from "./deep.js";',
    "packages/low/src/deep.ts": code,
  });
  expect(problems).toEqual([`packages/low/src/deep.ts:1: ${problem}, and this must run without`]);
});

it("finds Node behind another package's root", async () => {
  expect(
    await check({
      "layers.json": { ...table, nodeFree: { "@postern/left": ["."] } },
      "packages/low/src/index.ts": 'import "node:net";\nexport const low = 1;',
    }),
  ).toEqual(["packages/low/src/index.ts:1: node:net needs Node, and this must run without"]);
});

it("lets names of members be called as Node's globals are", async () => {
  expect(
    await check({
      "packages/low/src/index.ts":
        "export const a = { process: 1 }.process;\nexport const b = globalThis.process;",
    }),
  ).toEqual([]);
});

it("finds a package without a floor, one on two floors, and one that is not there", async () => {
  const floors = [
    { floor: 0, name: "ground", packages: ["@postern/low", "@postern/low"] },
    ...table.floors.slice(1, 3),
    { floor: 3, name: "tooling", packages: ["@postern/gone"] },
  ];
  expect(await check({ "layers.json": { ...table, floors } })).toEqual([
    "layers.json: @postern/kit has no floor",
    "layers.json: @postern/low stands on two floors",
    "layers.json: there is no package @postern/gone",
  ]);
});

it("does not pass on a folder without sources", async () => {
  await using repository = await openRepository({
    "layers.json": { ...table, floors: [], testOnly: [], nodeFree: {} },
  });
  expect(checkLayers(repository.path)).toEqual(["layers: no source file was found"]);
});
