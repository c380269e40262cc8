import { describe, expect, it } from "vitest";
import { findNearest } from "./find-nearest.js";

describe("findNearest", () => {
  it.each([
    ["cuont", ["path", "count"], "count"],
    ["Path", ["path"], "path"],
    ["max_result", ["maxResults", "max_results"], "max_results"],
    ["x", ["y"], "y"],
    ["zebra", ["count"], undefined],
    ["anything", [], undefined],
    ["a".repeat(100), ["a".repeat(99)], undefined],
  ])("takes %s of %j for %s", (word, known, nearest) => {
    expect(findNearest(word, known)).toBe(nearest);
  });
});
