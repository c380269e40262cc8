import { describe, expect, it } from "vitest";
import {
  checkpathsMetaKey,
  isReservedMetaKey,
  readCheckpaths,
  readTags,
  reservedMetaPrefix,
  tagsMetaKey,
  withoutReservedMeta,
} from "./meta.js";

describe("readTags()", () => {
  it.each([
    { meta: { [tagsMetaKey]: ["web", "search"] }, tags: ["web", "search"] },
    { meta: { fastmcp: { tags: ["web"] } }, tags: ["web"] },
    { meta: { _fastmcp: { tags: ["code"] } }, tags: ["code"] },
    { meta: { fastmcp: { tags: ["new"] }, _fastmcp: { tags: ["old"] } }, tags: ["new"] },
    { meta: { fastmcp: {}, _fastmcp: { tags: ["old"] } }, tags: ["old"] },
    { meta: { [tagsMetaKey]: [], fastmcp: { tags: ["web"] } }, tags: [] },
    { meta: { [tagsMetaKey]: "web", fastmcp: { tags: ["files"] } }, tags: ["files"] },
    { meta: { [tagsMetaKey]: ["b", "a", "b"] }, tags: ["b", "a"] },
    { meta: { [tagsMetaKey]: ["a", 7, null, ["b"], { c: 1 }] }, tags: ["a"] },
    { meta: { fastmcp: ["tags"] }, tags: [] },
    { meta: { fastmcp: null, _fastmcp: "x" }, tags: [] },
    { meta: { tags: ["web"] }, tags: [] },
    { meta: {}, tags: [] },
    { meta: undefined, tags: [] },
    { meta: null, tags: [] },
    { meta: ["web"], tags: [] },
    { meta: "web", tags: [] },
  ])("reads $tags from $meta", ({ meta, tags }) => {
    expect(readTags(meta)).toEqual(tags);
  });
});

describe("readCheckpaths()", () => {
  it.each([
    { meta: { [checkpathsMetaKey]: ["path"] }, names: ["path"] },
    { meta: { checkpaths: ["file", "folder"] }, names: ["file", "folder"] },
    { meta: { [checkpathsMetaKey]: ["a"], checkpaths: ["b"] }, names: ["a"] },
    { meta: { [checkpathsMetaKey]: { a: 1 }, checkpaths: ["b", "b", 1] }, names: ["b"] },
    { meta: { checkpaths: "path" }, names: [] },
    { meta: null, names: [] },
  ])("reads $names from $meta", ({ meta, names }) => {
    expect(readCheckpaths(meta)).toEqual(names);
  });
});

describe("reserved keys", () => {
  it.each([
    "dev.postern/tags",
    "dev.postern/",
    "dev.postern/a/b",
    "DEV.POSTERN/tags",
    "Dev.Postern/Anything",
    "dev.postern/tags\u0000",
  ])("counts %j as one of ours", (key) => {
    expect(isReservedMetaKey(key)).toBe(true);
  });

  it.each([
    "dev.postern",
    "dev.postern.example/tags",
    "xdev.postern/tags",
    " dev.postern/tags",
    "dev_postern/tags",
    "io.modelcontextprotocol/related-task",
    "progressToken",
    "",
  ])("leaves %j to its owner", (key) => {
    expect(isReservedMetaKey(key)).toBe(false);
  });

  it("begins with the prefix that is documented", () => {
    expect(
      [tagsMetaKey, checkpathsMetaKey].every((key) => key.startsWith(reservedMetaPrefix)),
    ).toBe(true);
  });
});

describe("withoutReservedMeta()", () => {
  it("gives the same object when nothing of ours is in it", () => {
    const meta = Object.freeze({ progressToken: 7, "x/y": { "dev.postern/tags": ["kept"] } });
    expect(withoutReservedMeta(meta)).toBe(meta);
  });

  it("takes out every spelling and keeps the rest as it is, without touching the input", () => {
    const inner = { deep: true };
    const meta = Object.freeze({
      "dev.postern/caller": "owner",
      "DEV.postern/Tags": ["bundled"],
      progressToken: "p",
      other: inner,
    });
    const rest = withoutReservedMeta(meta);
    expect(rest).toEqual({ progressToken: "p", other: { deep: true } });
    expect(rest["other"]).toBe(inner);
    expect(Object.keys(meta)).toHaveLength(4);
  });

  it("keeps a member named __proto__ a member", () => {
    const meta = JSON.parse('{"__proto__":{"x":1},"dev.postern/a":1}') as Record<string, never>;
    expect(Object.keys(withoutReservedMeta(meta))).toEqual(["__proto__"]);
  });
});
