import { fc } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { checkServerNames, type NamedServer } from "./check-server-names.js";

/** The names of the servers that stay unmounted. */
function refused(servers: readonly NamedServer[]): readonly (string | undefined)[] {
  return checkServerNames(servers).map(({ server }) => server);
}

describe("checkServerNames()", () => {
  it("refuses both of two names of which one begins the other", () => {
    expect(refused([{ name: "my" }, { name: "my_server" }, { name: "myserver" }])).toEqual([
      "my",
      "my_server",
    ]);
  });

  it("refuses both also where one is disabled, so that enabling renames nothing", () => {
    expect(refused([{ name: "a", disabled: true }, { name: "a_b" }])).toEqual(["a", "a_b"]);
  });

  it("accepts names that only look alike", () => {
    expect(refused([{ name: "git" }, { name: "github" }, { name: "git-hub" }])).toEqual([]);
  });

  it("holds a written prefix against the others", () => {
    expect(refused([{ name: "a", prefix: "b_" }, { name: "b" }, { name: "c" }])).toEqual([
      "a",
      "b",
    ]);
    expect(
      refused([
        { name: "a", prefix: "x" },
        { name: "b", prefix: "xy" },
      ]),
    ).toEqual(["a", "b"]);
    expect(
      refused([
        { name: "a", prefix: "x_" },
        { name: "b", prefix: "y_" },
      ]),
    ).toEqual([]);
  });

  it("accepts an empty prefix for a server that stands alone", () => {
    expect(refused([{ name: "a", prefix: "" }])).toEqual([]);
    expect(
      refused([
        { name: "a", prefix: "" },
        { name: "b", disabled: true },
      ]),
    ).toEqual([]);
  });

  it("refuses only the server with the empty prefix among others", () => {
    expect(refused([{ name: "a", prefix: "" }, { name: "b" }])).toEqual(["a"]);
    expect(
      refused([
        { name: "a", prefix: "" },
        { name: "b", prefix: "" },
      ]),
    ).toEqual(["a", "b"]);
  });

  it("puts the problem where the server is written", () => {
    const at = { file: "mcp.json", line: 3, column: 5, path: "mcpServers.a" };
    expect(checkServerNames([{ name: "a", at }, { name: "a_b" }])).toEqual([
      {
        ...at,
        code: "SERVER_NAME_CLASH",
        severity: "error",
        server: "a",
        message:
          'The servers "a" and "a_b" could give tools the same name (server_tool). Rename one of them.',
      },
      expect.objectContaining({ server: "a_b", file: "", line: 0 }),
    ]);
  });

  it("leaves only servers whose tools can never have one name", () => {
    const part = fc.constantFrom("a", "b", "_", "a_", "_b", "1");
    const name = fc
      .array(part, { minLength: 1, maxLength: 4 })
      .map((parts) => `x${parts.join("")}`);
    const server = fc.record(
      { name, prefix: fc.constantFrom("", "x", "xa_", "y_"), disabled: fc.boolean() },
      { requiredKeys: ["name"] },
    );
    const tools = ["t", "a_t", "b_t", "_t", "1_t", "a", "b"];
    fc.assert(
      fc.property(fc.array(server, { maxLength: 5 }), (servers) => {
        const out = new Set(refused(servers));
        const mounted = servers.filter(
          ({ name: own, disabled }) => !out.has(own) && disabled !== true,
        );
        const shown = mounted.flatMap(({ name: own, prefix }) =>
          tools.map((tool) => (prefix ?? `${own}_`) + tool),
        );
        expect(new Set(shown).size).toBe(shown.length);
      }),
      { numRuns: 500 },
    );
  });
});
