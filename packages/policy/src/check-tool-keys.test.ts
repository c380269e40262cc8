import type { Listing, ListingKind } from "@postern/tool";
import { describe, expect, it } from "vitest";
import { checkToolKeys } from "./check-tool-keys.js";

const of = (server: string, originalName: string, kind: ListingKind = "tool"): Listing => ({
  kind,
  server,
  name: server === "" ? originalName : `${server}_${originalName}`,
  originalName,
  tags: [],
  checkpaths: [],
  raw: {},
});

describe("checkToolKeys()", () => {
  it("finds no fault with keys that mean one tool each", () => {
    const listings = [of("my_server", "search"), of("fs", "read")];
    expect(checkToolKeys(["my_server_search", "my_server/search", "fs/read"], listings)).toEqual(
      [],
    );
  });

  it("reports what matches nothing and what matches two, in the order of the keys", () => {
    const listings = [of("my", "server_search"), of("my_server", "search")];
    expect(
      checkToolKeys(["nope", "my_server_search", "my/search", "my_server/search"], listings),
    ).toEqual([
      { key: "nope", problem: "matches_nothing" },
      { key: "my_server_search", problem: "matches_two" },
      { key: "my/search", problem: "matches_nothing" },
    ]);
  });

  it("reports a key once, however often it is given", () => {
    expect(checkToolKeys(["x", "x"], [])).toEqual([{ key: "x", problem: "matches_nothing" }]);
  });

  it("counts tools only", () => {
    const listings = [of("s", "a", "prompt"), of("s", "b"), of("s", "b", "prompt")];
    expect(checkToolKeys(["s_a", "s_b"], listings)).toEqual([
      { key: "s_a", problem: "matches_nothing" },
    ]);
  });

  it("parts a key at the first slash, so that a tool named a/b is not tool b of server a", () => {
    expect(checkToolKeys(["a/b"], [of("", "a/b")])).toEqual([
      { key: "a/b", problem: "matches_nothing" },
    ]);
    expect(checkToolKeys(["s/a/b"], [of("s", "a/b")])).toEqual([]);
  });

  it.each(["__proto__", "constructor", "constructor/name"])("finds nothing by %s", (key) => {
    expect(checkToolKeys([key], [of("s", "x")])).toEqual([{ key, problem: "matches_nothing" }]);
  });
});
