import { expect, it } from "vitest";

it("exports exactly these names", async () => {
  expect(Object.keys(await import("./index.js")).toSorted()).toEqual([
    "bundledErrors",
    "bundledTools",
    "commandErrors",
    "commandTools",
    "editErrors",
    "fileTools",
    "paperErrors",
    "searchErrors",
    "searchTools",
    "webErrors",
    "webSearchErrors",
    "webTools",
  ]);
});

it("exports exactly these names for hosts that start it", async () => {
  expect(Object.keys(await import("./launch.js")).toSorted()).toEqual([
    "bundledServer",
    "bundledVariables",
  ]);
});

it("exports exactly these names for authors of backends and providers", async () => {
  expect(Object.keys(await import("./testing.js")).toSorted()).toEqual([
    "searchBackendContract",
    "searchProviderContract",
  ]);
});

it("exports exactly these names for whoever chooses a search backend", async () => {
  expect(Object.keys(await import("./search.js")).toSorted()).toEqual([
    "createRipgrepBackend",
    "createWalkerBackend",
    "isRipgrepPresent",
  ]);
});
