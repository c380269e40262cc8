import { describe, expect, it } from "vitest";
import { findNearest } from "./find-nearest.js";

const keys = ["command", "args", "env", "url", "connect_timeout", "call_timeout", "include_tags"];

describe("findNearest()", () => {
  it.each([
    ["comand", "command"],
    ["commnad", "command"],
    ["Command", "command"],
    ["connectTimeout", "connect_timeout"],
    ["connect-timeout", "connect_timeout"],
    ["includeTags", "include_tags"],
    ["ulr", "url"],
    ["arg", "args"],
  ])("takes %s for %s", (word, meant) => {
    expect(findNearest(word, keys)).toBe(meant);
  });

  it.each(["timeout", "description", "", "x", "autoApprove"])("finds nothing near %j", (word) => {
    expect(findNearest(word, keys)).toBeUndefined();
  });

  it("does not compare words without an end", () => {
    expect(findNearest("command".repeat(100_000), keys)).toBeUndefined();
  });

  it("takes the first of two that are equally near", () => {
    expect(findNearest("cat", ["cut", "bat"])).toBe("cut");
  });
});
