import { describe, expect, it } from "vitest";
import { mergeConfigs } from "./merge-configs.js";
import { emptyPosternConfig, parsePosternConfig } from "./parse-postern-config.js";
import type { PosternConfig } from "./postern-config.js";

function read(document: unknown): PosternConfig {
  const parsed = parsePosternConfig(JSON.stringify(document), "postern.json");
  return parsed.ok ? parsed.value : emptyPosternConfig;
}

const rule = { name: "r", decision: "review", pattern: "x" };

describe("mergeConfigs()", () => {
  it("lets a trusted project win field by field", () => {
    const owner = read({
      general: {
        access_level: "read_only",
        bundled_tools: { enabled: true, exclude_tags: ["web"] },
        tool_access: { t: { read_only: true, destructive: false }, u: { read_only: true } },
      },
      domains: { a: { description: "owner" }, b: {} },
      guard: { mode: "enforce", approvals: "deny", rules: [rule] },
      paths: { sensitive: ["*.a"] },
    });
    const project = read({
      general: {
        access_level: "full",
        bundled_tools: { enabled: false },
        tool_access: { t: { destructive: true } },
      },
      domains: { a: { description: "project" }, c: {} },
      guard: { mode: "off", rules: [rule] },
      paths: { root: ".", sensitive: ["*.b"] },
    });
    expect(mergeConfigs(owner, project)).toEqual({
      general: {
        accessLevel: "full",
        bundledTools: { enabled: false, excludeTags: ["web"] },
        toolAccess: { t: { readOnly: true, destructive: true }, u: { readOnly: true } },
      },
      domains: {
        a: { description: "project", servers: {} },
        b: { servers: {} },
        c: { servers: {} },
      },
      guard: { mode: "off", approvals: "deny", rules: [rule, { ...rule, raisesOnly: true }] },
      paths: { root: ".", sensitive: ["*.a", "*.b"] },
    });
  });

  it("gives the project's own where the owner has said nothing", () => {
    const project = read({ general: { access_level: "read_only" }, models: { a: {} } });
    expect(mergeConfigs(undefined, project)).toEqual(project);
    expect(mergeConfigs(emptyPosternConfig, project)).toEqual(project);
  });
});
