import { expect, it } from "vitest";

it("exports these names from the root", async () => {
  expect(Object.keys(await import("./index.js")).toSorted()).toEqual([
    "checkServerNames",
    "configErrors",
    "emptyPosternConfig",
    "expandServer",
    "findNearest",
    "mcpSchema",
    "mergeConfigs",
    "narrowUntrusted",
    "parseJson",
    "parseMcpConfig",
    "parsePosternConfig",
    "posternSchema",
    "serverNamePattern",
    "toPlainText",
    "toUnresolvedText",
  ]);
});

it("exports these names from ./files", async () => {
  expect(Object.keys(await import("./files/index.js")).toSorted()).toEqual([
    "deleteServer",
    "deleteTrust",
    "findProjectFile",
    "readMcpFile",
    "readPosternFile",
    "readSettings",
    "readTrust",
    "updateServer",
    "writeServer",
    "writeTrust",
  ]);
});
