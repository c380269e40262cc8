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
    "askForPaths",
    "checkPaths",
    "createMemoryConsentStore",
    "createSensitiveNames",
    "findCommandPaths",
    "findPathMentions",
    "globMarks",
    "pathErrors",
  ]);
});

it("exports exactly these names for consents", async () => {
  expect(Object.keys(await import("./consent.js")).toSorted()).toEqual([
    "createFileConsentStore",
    "findMatches",
    "toRealPath",
  ]);
});

it("exports exactly these names for tests", async () => {
  expect(Object.keys(await import("./testing.js"))).toEqual(["consentStoreContract"]);
});
