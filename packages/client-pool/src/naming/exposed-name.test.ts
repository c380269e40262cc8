import { fc } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { toExposedName } from "./exposed-name.js";

const prefix = fc.stringMatching(/^[A-Za-z0-9_-]{0,40}$/);

describe("toExposedName", () => {
  it("joins prefix and name where that fits", () => {
    expect(toExposedName("files_", "read_file")).toBe("files_read_file");
    expect(toExposedName("", "read-file")).toBe("read-file");
    expect(toExposedName("a_", "x".repeat(62))).toBe(`a_${"x".repeat(62)}`);
  });

  it("replaces what model APIs refuse, and keeps the names apart", () => {
    expect(toExposedName("s_", "files.read")).toMatch(/^s_files_read_[0-9a-z]{8}$/);
    const alike = ["a.b", "a/b", "a b", "a_b", "ａ_b"].map((name) => toExposedName("s_", name));
    expect(new Set(alike).size).toBe(alike.length);
  });

  it("shortens in the middle, the same way every time", () => {
    const name = `${"begin_".repeat(10)}middle${"_end".repeat(10)}`;
    expect(toExposedName("s_", name)).toBe(
      "s_begin_begin_begin_begin_begin_begin_be_xjch63qb_nd_end_end_end",
    );
  });

  it("fits whatever a server calls its tools, and keeps its prefix", () => {
    fc.assert(
      fc.property(prefix, fc.string({ minLength: 1, maxLength: 300 }), (begin, name) => {
        const exposed = toExposedName(begin, name);
        expect(exposed).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(exposed.startsWith(begin)).toBe(true);
      }),
    );
  });

  it("gives 20,000 long names as many names", () => {
    const names = Array.from({ length: 20_000 }, (_value, at) =>
      toExposedName("s_", `${"x".repeat(60)}${at}${"y".repeat(60)}`),
    );
    expect(new Set(names).size).toBe(names.length);
  });
});
