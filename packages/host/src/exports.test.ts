import { expect, test } from "vitest";

test("exports exactly its public surface", async () => {
  expect(Object.keys(await import("./index.js")).toSorted()).toEqual([
    "hostErrors",
    "openAudit",
    "openConsents",
    "openHost",
    "serveProxy",
  ]);
});
