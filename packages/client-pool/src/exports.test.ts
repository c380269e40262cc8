import { expect, it } from "vitest";

it("exports these names and no others", async () => {
  expect(Object.keys(await import("./index.js")).toSorted()).toEqual([
    "connectServers",
    "defaultCallTimeoutMs",
    "parseCallTimeout",
    "poolErrors",
    "toExposedName",
  ]);
});

it("exports these names and no others for commands", async () => {
  expect(Object.keys(await import("./stdio/index.js")).toSorted()).toEqual(["stdioTransport"]);
});
