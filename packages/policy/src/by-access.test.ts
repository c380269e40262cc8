import type { Listing, ListingKind } from "@postern/tool";
import { describe, expect, it } from "vitest";
import type { AccessLevel } from "./access-level.js";
import { byAccess, type DeclaredAccess } from "./by-access.js";

const tool = (annotations?: object, kind: ListingKind = "tool"): Listing => ({
  kind,
  server: "my_server",
  name: "my_server_search",
  originalName: "search",
  tags: [],
  checkpaths: [],
  ...(annotations === undefined ? {} : { annotations }),
  raw: {},
});
const refusedAs = (reason: string) => ({ allow: false, reason: `read_only: ${reason}` });
const code = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return (error as { readonly code?: string }).code;
  }
};

describe("byAccess()", () => {
  it.each([
    { annotations: { readOnlyHint: true }, decision: { allow: true } },
    { annotations: { readOnlyHint: true, destructiveHint: false }, decision: { allow: true } },
    {
      annotations: { readOnlyHint: true, destructiveHint: null },
      decision: { allow: true },
    },
    { annotations: undefined, decision: refusedAs("not annotated read-only") },
    { annotations: {}, decision: refusedAs("not annotated read-only") },
    { annotations: { readOnlyHint: false }, decision: refusedAs("not annotated read-only") },
    { annotations: { readOnlyHint: "true" }, decision: refusedAs("not annotated read-only") },
    { annotations: { readOnlyHint: 1 }, decision: refusedAs("not annotated read-only") },
    { annotations: { idempotentHint: true }, decision: refusedAs("not annotated read-only") },
    { annotations: { destructiveHint: true }, decision: refusedAs("annotated destructive") },
    {
      annotations: { readOnlyHint: true, destructiveHint: true },
      decision: refusedAs("annotated destructive"),
    },
    {
      annotations: { readOnlyHint: true, destructiveHint: "yes" },
      decision: refusedAs("annotated destructive"),
    },
  ])("decides $decision for $annotations under read_only", ({ annotations, decision }) => {
    expect(byAccess("read_only")(tool(annotations))).toEqual(decision);
  });

  it("admits everything under full, whatever is declared", () => {
    const rule = byAccess("full", { my_server_search: { destructive: true } });
    expect(rule(tool({ destructiveHint: true }))).toEqual({ allow: true });
  });

  it.each<{ declared: DeclaredAccess; annotations?: object; decision: object }>([
    { declared: { readOnly: true }, decision: { allow: true } },
    {
      declared: { readOnly: true },
      annotations: { destructiveHint: true },
      decision: refusedAs("annotated destructive"),
    },
    {
      declared: { readOnly: true, destructive: false },
      annotations: { destructiveHint: true },
      decision: { allow: true },
    },
    {
      declared: { readOnly: false },
      annotations: { readOnlyHint: true },
      decision: refusedAs("declared not read-only"),
    },
    {
      declared: { destructive: true },
      annotations: { readOnlyHint: true },
      decision: refusedAs("declared destructive"),
    },
    { declared: { destructive: false }, decision: refusedAs("not annotated read-only") },
    { declared: {}, decision: refusedAs("not annotated read-only") },
    {
      declared: { readOnly: false, destructive: true },
      annotations: { readOnlyHint: true },
      decision: refusedAs("declared destructive"),
    },
  ])(
    "lets the owner's $declared beat $annotations field by field",
    ({ declared, annotations, decision }) => {
      expect(byAccess("read_only", { my_server_search: declared })(tool(annotations))).toEqual(
        decision,
      );
      expect(byAccess("read_only", { "my_server/search": declared })(tool(annotations))).toEqual(
        decision,
      );
    },
  );

  it("takes the stricter word of each field where both spellings mean one tool", () => {
    const relaxed = { readOnly: true, destructive: false };
    const rule = byAccess("read_only", {
      my_server_search: relaxed,
      "my_server/search": { destructive: true },
    });
    expect(rule(tool())).toEqual(refusedAs("declared destructive"));
    expect(
      byAccess("read_only", {
        my_server_search: { readOnly: false },
        "my_server/search": relaxed,
      })(tool()),
    ).toEqual(refusedAs("declared not read-only"));
  });

  it.each([
    "search",
    "my_server/my_server_search",
    "MY_SERVER_SEARCH",
    "my/server_search",
    "/search",
  ])("grants nothing by the key %j, which means another tool or none", (key) => {
    expect(byAccess("read_only", { [key]: { readOnly: true } })(tool()).allow).toBe(false);
  });

  it("grants nothing to a tool named a/b by the key of tool b of server a", () => {
    const named: Listing = { ...tool(), server: "other", name: "a/b", originalName: "a/b" };
    expect(byAccess("read_only", { "a/b": { readOnly: true } })(named).allow).toBe(false);
  });

  it.each(["constructor", "__proto__", "toString", "hasOwnProperty"])(
    "grants nothing to a tool that is named %s",
    (name) => {
      const named: Listing = { ...tool(), name, originalName: name, server: name };
      expect(byAccess("read_only", { x: { readOnly: true } })(named).allow).toBe(false);
    },
  );

  it.each<ListingKind>(["prompt", "resource", "template"])("keeps a %s: it is read", (kind) => {
    expect(byAccess("read_only")(tool(undefined, kind))).toEqual({ allow: true });
  });

  it("copies what is declared", () => {
    const access = { readOnly: false };
    const rule = byAccess("read_only", { my_server_search: access });
    access.readOnly = true;
    expect(rule(tool()).allow).toBe(false);
  });

  it.each(["Full", "full ", "read-only", "READ_ONLY", "", "ask", undefined, null, 1, ["full"]])(
    "throws on the unknown level %j, and never takes it for full",
    (level) => {
      expect(code(() => byAccess(level as AccessLevel))).toBe("UNKNOWN_ACCESS_LEVEL");
    },
  );

  it("names the level it was given, escaped and cut", () => {
    expect(() => byAccess(`a\n\u202e${"x".repeat(200)}` as AccessLevel)).toThrow(
      `The access level must be "full" or "read_only", written exactly so; it is "a\\n\\u{202e}${"x".repeat(56)}…".`,
    );
  });

  it.each([
    { declared: { t: { readOnly: "true" } } },
    { declared: { t: { readonly: true } } },
    { declared: { t: { destructive: null } } },
    { declared: { t: true } },
    { declared: { t: null } },
  ])("refuses the declaration $declared", ({ declared }) => {
    expect(
      code(() => byAccess("read_only", declared as unknown as Record<string, DeclaredAccess>)),
    ).toBe("INVALID_RULE");
    expect(
      code(() => byAccess("full", declared as unknown as Record<string, DeclaredAccess>)),
    ).toBe("INVALID_RULE");
  });
});
