import type { Listing, ListingKind } from "@postern/tool";
import { describe, expect, it } from "vitest";
import { byTags, type TagFilter } from "./by-tags.js";
import { policyErrors } from "./errors.js";

const tagged = (tags: readonly string[], kind: ListingKind = "tool"): Listing => ({
  kind,
  server: "s",
  name: "s_x",
  originalName: "x",
  tags,
  checkpaths: [],
  raw: {},
});
const allow = { allow: true };

describe("byTags()", () => {
  it.each<{ filter: TagFilter; tags: readonly string[]; decision: object }>([
    { filter: {}, tags: [], decision: allow },
    { filter: { include: ["web", "neuroml"] }, tags: ["x", "neuroml"], decision: allow },
    {
      filter: { include: ["web", "neuroml"] },
      tags: ["files"],
      decision: { allow: false, reason: 'tags: has none of "web", "neuroml"' },
    },
    {
      filter: { include: ["web"] },
      tags: [],
      decision: { allow: false, reason: 'tags: has none of "web"' },
    },
    { filter: { exclude: ["code"] }, tags: ["files"], decision: allow },
    { filter: { exclude: ["code"] }, tags: [], decision: allow },
    {
      filter: { exclude: ["files", "code"] },
      tags: ["x", "code"],
      decision: { allow: false, reason: 'tags: excluded by "code"' },
    },
    {
      filter: { include: ["neuroml"], exclude: ["code"] },
      tags: ["neuroml", "code"],
      decision: { allow: false, reason: 'tags: excluded by "code"' },
    },
    {
      filter: { include: ["a"], exclude: ["a"] },
      tags: ["a"],
      decision: { allow: false, reason: 'tags: excluded by "a"' },
    },
  ])("decides $decision for $tags under $filter", ({ filter, tags, decision }) => {
    expect(byTags(filter)(tagged(tags))).toEqual(decision);
  });

  it("filters nothing with empty lists, which is how a configuration writes no filter", () => {
    expect(byTags({ include: [], exclude: [] })(tagged([]))).toEqual(allow);
  });

  it.each(["Web", " web", "web ", "wеb"])("takes %j for another tag than web", (tag) => {
    expect(byTags({ include: ["web"] })(tagged([tag])).allow).toBe(false);
  });

  it.each<ListingKind>(["prompt", "resource", "template"])("hides an untagged %s too", (kind) => {
    expect(byTags({ include: ["web"] })(tagged([], kind)).allow).toBe(false);
  });

  it("copies the lists, and leaves frozen options as they are", () => {
    const exclude = ["code"];
    const rule = byTags(Object.freeze({ exclude }));
    exclude.length = 0;
    expect(rule(tagged(["code"])).allow).toBe(false);
  });

  it("gives a refusal that nobody can change for the next one who asks", () => {
    expect(Object.isFrozen(byTags({ exclude: ["a"] })(tagged(["a"])))).toBe(true);
  });

  it.each([
    { filter: { exclude: "code" }, problem: "it must be a list of strings" },
    { filter: { include: [7] }, problem: "each entry must be a non-empty string" },
    { filter: { include: [""] }, problem: "each entry must be a non-empty string" },
    { filter: { exclude: null }, problem: "it must be a list of strings" },
  ])("refuses the options $filter", ({ filter, problem }) => {
    expect(() => byTags(filter as unknown as TagFilter)).toThrow(
      policyErrors.INVALID_RULE({ option: Object.keys(filter)[0] ?? "", problem }),
    );
  });
});
