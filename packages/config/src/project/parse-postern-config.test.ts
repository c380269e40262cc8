import { describe, expect, it } from "vitest";
import { parsePosternConfig } from "./parse-postern-config.js";
import type { PosternConfig } from "./postern-config.js";

function read(document: unknown): PosternConfig {
  const parsed = parsePosternConfig(JSON.stringify(document, null, 2), "postern.json");
  if (!parsed.ok) throw new TypeError(JSON.stringify(parsed.problems));
  return parsed.value;
}

/** The problems of a document as `CODE line:column path`. */
function problemsOf(document: unknown): readonly string[] {
  const text = typeof document === "string" ? document : JSON.stringify(document, null, 2);
  const parsed = parsePosternConfig(text, "postern.json");
  return (parsed.ok ? [] : parsed.problems).map(
    ({ code, line, column, path }) => `${code} ${line}:${column} ${path}`,
  );
}

function messagesOf(document: unknown): readonly string[] {
  const parsed = parsePosternConfig(JSON.stringify(document), "postern.json");
  return (parsed.ok ? [] : parsed.problems).map(({ message }) => message);
}

/** A domain with references of these names. */
function servers(...names: string[]): object {
  return { mcp_servers: Object.fromEntries(names.map((name) => [name, { use: "x" }])) };
}

describe("parsePosternConfig()", () => {
  it("reads the examples of the Klea page", () => {
    const config = read({
      general: {
        access_level: "read_only",
        bundled_tools: { enabled: true, include_tags: ["web"], exclude_tags: ["download"] },
        tool_access: {
          my_server_search: { read_only: true },
          my_server_fetch: { read_only: false, destructive: true },
        },
      },
      domains: {
        NeuroML: {
          description: "Models of neurons.",
          mcp_servers: {
            NeuroML: {
              url: "http://127.0.0.1:8542/mcp",
              include_tags: ["web", "neuroml"],
              exclude_tags: ["code"],
            },
          },
        },
      },
    });
    expect(config.general).toEqual({
      accessLevel: "read_only",
      bundledTools: { enabled: true, includeTags: ["web"], excludeTags: ["download"] },
      toolAccess: {
        my_server_search: { readOnly: true },
        my_server_fetch: { readOnly: false, destructive: true },
      },
    });
    expect(config.domains["NeuroML"]).toMatchObject({
      description: "Models of neurons.",
      servers: {
        NeuroML: {
          kind: "declared",
          entry: {
            transport: { kind: "http", url: "http://127.0.0.1:8542/mcp" },
            includeTags: ["web", "neuroml"],
            excludeTags: ["code"],
          },
        },
      },
    });
  });

  it("reads a reference to one of the owner's servers", () => {
    const { domains } = read({
      domains: { d: { mcp_servers: { gh: { use: "github", include_tags: ["read"] } } } },
    });
    expect(domains["d"]?.servers["gh"]).toEqual({
      kind: "use",
      name: "gh",
      use: "github",
      includeTags: ["read"],
      at: { file: "postern.json", line: 5, column: 9, path: "domains.d.mcp_servers.gh" },
    });
  });

  it("reads {} as nothing said, and $schema as nothing", () => {
    expect(read({ $schema: "./schema.json" })).toEqual({
      general: { bundledTools: {}, toolAccess: {} },
      domains: {},
    });
  });

  it("keeps models as they are, and reads guard and paths", () => {
    const rule = { name: "r", decision: "review", pattern: "x", tools: ["a_*"], reason: "why" };
    const config = read({
      models: { a: { b: [1] } },
      guard: { mode: "observe", approvals: "deny", taint: true, rules: [rule] },
      paths: {
        root: "..",
        consent: "deny",
        sensitive: ["*.key"],
        checkpaths: { "s/t": ["where"] },
      },
    });
    expect([config.models, config.guard, config.paths]).toEqual([
      { a: { b: [1] } },
      { mode: "observe", approvals: "deny", taint: true, rules: [rule] },
      {
        root: "..",
        consent: "deny",
        sensitive: ["*.key"],
        checkpaths: { "s/t": ["where"] },
      },
    ]);
  });

  it("takes null in tool_access for nothing said", () => {
    const { general } = read({
      general: { tool_access: { t: { read_only: null, destructive: true } } },
    });
    expect(general.toolAccess["t"]).toEqual({ destructive: true });
  });

  it.each([
    ["at the top", { generale: {} }, "UNKNOWN_KEY 2:3 generale", 'Did you mean "general"?'],
    [
      "in general",
      { general: { accesLevel: "full" } },
      "UNKNOWN_KEY 3:5 general.accesLevel",
      'Did you mean "access_level"?',
    ],
    [
      "in bundled_tools",
      { general: { bundled_tools: { include: [] } } },
      "UNKNOWN_KEY 4:7 general.bundled_tools.include",
      "Known here: enabled, include_tags, exclude_tags.",
    ],
    [
      "in tool_access",
      { general: { tool_access: { t: { readonly: true } } } },
      "UNKNOWN_KEY 5:9 general.tool_access.t.readonly",
      'Did you mean "read_only"?',
    ],
    [
      "in a domain",
      { domains: { d: { mcp_server: {} } } },
      "UNKNOWN_KEY 4:7 domains.d.mcp_server",
      'Did you mean "mcp_servers"?',
    ],
    [
      "in a server",
      { domains: { d: { mcp_servers: { s: { command: "x", arg: [] } } } } },
      "UNKNOWN_KEY 7:11 domains.d.mcp_servers.s.arg",
      'Did you mean "args"?',
    ],
    [
      "in a reference",
      { domains: { d: { mcp_servers: { s: { use: "x", command: "y" } } } } },
      "UNKNOWN_KEY 7:11 domains.d.mcp_servers.s.command",
      "Known here: use, include_tags, exclude_tags.",
    ],
    ["of mcp.json", { mcpServers: {} }, "UNKNOWN_KEY 2:3 mcpServers", "domains.NAME.mcp_servers"],
  ])(
    "refuses an unknown key %s, with its place and the nearest known key",
    (...[, document, problem, words]) => {
      expect(problemsOf(document)).toEqual([problem]);
      expect(messagesOf(document)[0]).toContain(words);
    },
  );

  it.each([
    [
      { general: { access_level: "readonly" } },
      'Expected one of "full", "read_only", found "readonly".',
    ],
    [{ general: { access_level: " full" } }, 'Expected one of "full", "read_only", found " full".'],
    [{ general: { access_level: true } }, "Expected a text in double quotes, found true or false."],
    [{ general: [] }, "Expected an object, found an array."],
    [{ general: { bundled_tools: { enabled: "yes" } } }, "Expected true or false, found a text."],
    [{ general: { bundled_tools: { include_tags: "web" } } }, "Expected an array, found a text."],
    [{ models: "gpt" }, "Expected an object, found a text."],
    [{ guard: null }, "Expected an object, found null."],
    [{ guard: { mode: "on" } }, 'Expected one of "off", "observe", "enforce", found "on".'],
    [{ guard: { rules: [{ name: "a", pattern: "b" }] } }, 'The key "decision" is missing.'],
    [{ paths: { sensitive: [""] } }, "Expected a pattern of 1 to 500 characters."],
    [[], "Expected an object, found an array."],
    [{ domains: { d: { mcp_servers: { s: "npx" } } } }, "Expected an object, found a text."],
  ])("says of %j what was expected and what was found", (document, message) => {
    expect(messagesOf(document)).toEqual([message]);
  });

  it("tells all problems of a file at once", () => {
    const document = {
      general: { access_level: "x", nope: 1 },
      domains: {
        d: { mcp_servers: { s: { command: 1 }, t: {}, "a b": { command: "x" } } },
        " e": {},
      },
      extra: 1,
    };
    expect(problemsOf(document).map((problem) => problem.replace(/ [0-9:]+ /, " "))).toEqual([
      "UNKNOWN_KEY extra",
      "UNKNOWN_KEY general.nope",
      "WRONG_VALUE general.access_level",
      "WRONG_TYPE domains.d.mcp_servers.s.command",
      "COMMAND_OR_URL domains.d.mcp_servers.t",
      'WRONG_NAME domains.d.mcp_servers["a b"]',
      'WRONG_NAME domains[" e"]',
    ]);
  });

  it("refuses names that clash inside a domain, and accepts them in two", () => {
    expect(problemsOf({ domains: { d: servers("a", "a_b") } })).toHaveLength(2);
    expect(problemsOf({ domains: { d: servers("a"), e: servers("a_b") } })).toEqual([]);
  });

  it("refuses comments, and a key that is written twice", () => {
    expect(problemsOf("{ // no\n }")).toEqual(["COMMENT 1:3 "]);
    expect(problemsOf('{"general": {}, "general": {}}')).toEqual(["DUPLICATE_KEY 1:17 general"]);
  });

  it("takes __proto__ and constructor for ordinary unknown keys", () => {
    expect(problemsOf('{"__proto__": {"general": {}}, "constructor": {}}')).toEqual([
      "UNKNOWN_KEY 1:2 __proto__",
      "UNKNOWN_KEY 1:32 constructor",
    ]);
  });

  it("lets a domain and a tool be called __proto__ without harm", () => {
    const parsed = parsePosternConfig(
      '{"domains": {"__proto__": {}}, "general": {"tool_access": {"__proto__": {"read_only": false}}}}',
      "f",
    );
    const value = parsed.ok ? parsed.value : undefined;
    expect(Object.keys(value?.domains ?? {})).toEqual(["__proto__"]);
    expect(Object.keys(value?.general.toolAccess ?? {})).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(value?.domains)).toBeNull();
  });
});
