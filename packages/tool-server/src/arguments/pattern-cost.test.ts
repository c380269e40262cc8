import { describe, expect, it } from "vitest";
import { estimatePattern } from "./pattern-cost.js";

describe("estimatePattern", () => {
  it.each([
    ["^abc$", { power: 0, factor: 1 }],
    ["^\\d{4}-\\d{2}$", { power: 0, factor: 1 }],
    ["^[a-z]+$", { power: 1, factor: 1 }],
    ["^-?\\d+(?:\\.\\d+)?$", { power: 2, factor: 4 }],
    ["^(?:red|green|blue)$", { power: 0, factor: 3 }],
    ["^(?:ab){3}$", { power: 0, factor: 1 }],
    ["abc", { power: 1, factor: 1 }],
    [".*", { power: 2, factor: 1 }],
    ["^a|b", { power: 1, factor: 1 }],
    ["^[(+*]$", { power: 0, factor: 1 }],
  ])("bounds %s", (pattern, cost) => {
    expect(estimatePattern(pattern)).toEqual(cost);
  });

  it.each([
    "(a+)+",
    "(a|b)*",
    "(?:a{1,3}){2}",
    "(a)\\1",
    "(?=a)a",
    "(?<!a)b",
    "(",
    "x".repeat(2_000),
  ])("bounds %s not at all", (pattern) => {
    expect(estimatePattern(pattern)).toBeUndefined();
  });
});
