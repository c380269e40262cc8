import { expect, it } from "vitest";

it("exports these names", async () => {
  expect(Object.keys(await import("./index.js")).toSorted()).toEqual([
    "createSafeFetch",
    "isPublicAddress",
    "safeFetchErrors",
  ]);
});
