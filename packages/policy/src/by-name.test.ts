import type { Listing } from "@postern/tool";
import { describe, expect, it } from "vitest";
import { byName, type NameFilter } from "./by-name.js";

const tool: Listing = {
  kind: "tool",
  server: "fs",
  name: "fs_read_file",
  originalName: "read_file",
  tags: [],
  checkpaths: [],
  raw: {},
};
const resource: Listing = {
  ...tool,
  kind: "resource",
  name: "file:///notes/a",
  originalName: "file:///notes/a",
};
const allow = { allow: true };
const denied = { allow: false, reason: "name: denied" };
const notAllowed = { allow: false, reason: "name: not in the allow list" };

describe("byName()", () => {
  it.each<{ filter: NameFilter; decision: object }>([
    { filter: {}, decision: allow },
    { filter: { allow: ["fs_read_file"] }, decision: allow },
    { filter: { allow: ["fs/read_file"] }, decision: allow },
    { filter: { allow: ["read_file"] }, decision: notAllowed },
    { filter: { allow: ["FS_read_file"] }, decision: notAllowed },
    { filter: { allow: [] }, decision: notAllowed },
    { filter: { deny: [] }, decision: allow },
    { filter: { deny: ["fs_write_file"] }, decision: allow },
    { filter: { deny: ["fs_read_file"] }, decision: denied },
    { filter: { deny: ["fs/read_file"] }, decision: denied },
    { filter: { allow: ["fs_read_file"], deny: ["fs/read_file"] }, decision: denied },
  ])("decides $decision under $filter", ({ filter, decision }) => {
    expect(byName(filter)(tool)).toEqual(decision);
  });

  it("names a resource by its URI, and hides one that an allow list does not name", () => {
    expect(byName({ allow: ["file:///notes/a"] })(resource)).toEqual(allow);
    expect(byName({ deny: ["file:///notes/a"] })(resource)).toEqual(denied);
    expect(byName({ allow: ["fs_read_file"] })(resource)).toEqual(notAllowed);
  });

  it("copies its lists", () => {
    const deny = ["fs_read_file"];
    const rule = byName({ deny });
    deny.length = 0;
    expect(rule(tool)).toEqual(denied);
  });

  it("refuses a bare string as a list", () => {
    expect(() => byName({ deny: "fs_read_file" as unknown as string[] })).toThrow(
      'The rule\'s option "deny" is not usable: it must be a list of strings.',
    );
  });
});
