import { expect, it } from "vitest";

it("exports these names", async () => {
  expect(Object.keys(await import("./index.js")).toSorted()).toEqual([
    "createSpillStore",
    "ensurePrivateDirectory",
    "fileErrors",
    "openAppendFile",
    "readTextFile",
    "updateFile",
    "withFileLock",
    "writeFileAtomic",
  ]);
});

it("exports one name for real paths", async () => {
  expect(Object.keys(await import("./find-real-path.js"))).toEqual(["findRealPath"]);
});
