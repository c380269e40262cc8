import { expect, it } from "vitest";

it("exports exactly these names", async () => {
  expect(Object.keys(await import("./index.js")).toSorted()).toEqual([
    "conversationMetaKey",
    "createTaintLedger",
    "fenceUntrusted",
    "govern",
    "guardErrors",
    "neutraliseTemplateTokens",
    "taintErrors",
    "taintRules",
    "trackTaint",
  ]);
});

it("exports exactly these names for the audit", async () => {
  expect(Object.keys(await import("./audit.js")).toSorted()).toEqual([
    "audit",
    "auditErrors",
    "openAuditLog",
    "readAudit",
    "verifyAudit",
  ]);
});
