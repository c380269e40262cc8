import type { Listing, ToolRule } from "@postern/tool";
import { describe, expect, it } from "vitest";
import { byServer } from "./by-server.js";
import { byTags } from "./by-tags.js";

const of = (server: string, tags: readonly string[] = []): Listing => ({
  kind: "tool",
  server,
  name: `${server}_x`,
  originalName: "x",
  tags,
  checkpaths: [],
  raw: {},
});
const refuse: ToolRule = () => ({ allow: false, reason: "no" });

describe("byServer()", () => {
  it("asks only the rule of the listing's own server", () => {
    const rule = byServer({ a: byTags({ include: ["bundled"] }), b: refuse });
    expect(rule(of("a", ["bundled"])).allow).toBe(true);
    expect(rule(of("b", ["bundled"])).allow).toBe(false);
  });

  it("allows a server without a rule, unless told otherwise", () => {
    expect(byServer({ a: refuse })(of("b"))).toEqual({ allow: true });
    expect(byServer({ a: refuse }, refuse)(of("b"))).toEqual({ allow: false, reason: "no" });
  });

  it("takes the empty name for tools of this process", () => {
    expect(byServer({ "": refuse })(of("")).allow).toBe(false);
  });

  it.each(["constructor", "__proto__", "toString"])("has no rule for a server named %s", (name) => {
    expect(byServer({}, refuse)(of(name))).toEqual({ allow: false, reason: "no" });
  });

  it("refuses what is no rule", () => {
    expect(() => byServer({ a: {} as ToolRule })).toThrow(
      'The rule\'s option "a" is not usable: it must be a rule.',
    );
  });
});
