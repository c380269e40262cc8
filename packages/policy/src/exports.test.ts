import { expect, it } from "vitest";

it("exports exactly these names", async () => {
  expect(Object.keys(await import("./index.js")).toSorted()).toEqual([
    "allOf",
    "byAccess",
    "byName",
    "byServer",
    "byTags",
    "checkToolKeys",
    "parseAccessLevel",
    "permitted",
    "policyErrors",
  ]);
});

it("exports exactly these names for paths", async () => {
  expect(Object.keys(await import("./paths.js")).toSorted()).toEqual([
    "checkPaths",
    "createSensitiveNames",
    "findCommandPaths",
    "findPathMentions",
  ]);
});
