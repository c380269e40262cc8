import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";

it("exports exactly these names", async () => {
  expect(Object.keys(await import("./index.js")).toSorted()).toEqual([
    "byDescriptionLength",
    "createCallQuota",
    "domainTools",
    "extensionErrors",
  ]);
});

it("needs nothing of Postern but its vocabulary for rules, interceptors and tools", async () => {
  const imported = new Set<string>();
  for (const folder of ["rules", "interceptors", "domain"])
    for (const file of await readdir(join(import.meta.dirname, folder))) {
      if (file.endsWith(".test.ts")) continue;
      const source = await readFile(join(import.meta.dirname, folder, file), "utf8");
      for (const [, name] of source.matchAll(/from "([^".][^"]*)"/g)) imported.add(name ?? "");
    }
  expect([...imported].toSorted()).toEqual(["@postern/tool", "zod"]);
});
