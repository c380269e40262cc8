import { expect, it } from "vitest";

it("exports exactly these names", async () => {
  expect(Object.keys(await import("./index.js")).toSorted()).toEqual([
    "bundledErrors",
    "bundledTools",
    "fileTools",
  ]);
});

it("exports exactly these names for hosts that start it", async () => {
  expect(Object.keys(await import("./launch.js")).toSorted()).toEqual([
    "bundledServer",
    "bundledVariables",
  ]);
});
