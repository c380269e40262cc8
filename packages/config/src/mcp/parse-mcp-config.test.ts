import { describe, expect, it } from "vitest";
import type { Problem } from "../problem.js";
import { parseMcpConfig } from "./parse-mcp-config.js";
import type { McpConfig } from "./server-entry.js";

function read(document: unknown): McpConfig {
  return readText(typeof document === "string" ? document : JSON.stringify(document, null, 2));
}

function readText(text: string): McpConfig {
  const parsed = parseMcpConfig(text, "mcp.json");
  if (!parsed.ok) throw new TypeError(JSON.stringify(parsed.problems));
  return parsed.value;
}

/** The server `s` of a file that has this entry. */
const serverOf = (entry: object): unknown => read({ mcpServers: { s: entry } }).servers["s"];

/** The problems of an entry, as `CODE path`. */
function problemsOf(entry: unknown): readonly string[] {
  const { broken } = read({ mcpServers: { s: entry } });
  return broken.flatMap(({ problems }) => problems.map(({ code, path }) => `${code} ${path}`));
}

function warningsOf(document: unknown): readonly Problem[] {
  const parsed = parseMcpConfig(JSON.stringify(document, null, 2), "mcp.json");
  return parsed.ok ? parsed.warnings : [];
}

function messageOf(entry: unknown): string | undefined {
  return read({ mcpServers: { s: entry } }).broken[0]?.problems[0]?.message;
}

describe("parseMcpConfig()", () => {
  it("reads a server that is started", () => {
    expect(
      serverOf({
        type: "stdio",
        command: "npx",
        args: ["-y", "some-server"],
        env: { TOKEN: "{env:TOKEN}" },
        cwd: "sub",
        connect_timeout: 1.5,
        catalog_timeout: 10,
        call_timeout: 0,
        include_tags: ["web"],
        exclude_tags: ["code"],
        prefix: "x_",
      }),
    ).toEqual({
      name: "s",
      transport: {
        kind: "stdio",
        command: "npx",
        args: ["-y", "some-server"],
        env: { TOKEN: "{env:TOKEN}" },
        cwd: "sub",
      },
      protocol: "legacy",
      connectTimeoutMs: 1500,
      catalogTimeoutMs: 10_000,
      callTimeoutMs: 0,
      includeTags: ["web"],
      excludeTags: ["code"],
      prefix: "x_",
      disabled: false,
      at: { file: "mcp.json", line: 3, column: 5, path: "mcpServers.s" },
    });
  });

  it("reads a server that is contacted", () => {
    const entry = {
      type: "http",
      url: "https://host/mcp",
      headers: { "X-A": "b" },
      token_env: "TOKEN",
    };
    expect(serverOf(entry)).toMatchObject({
      transport: {
        kind: "http",
        url: "https://host/mcp",
        headers: { "X-A": "b" },
        tokenEnv: "TOKEN",
      },
      protocol: "auto",
    });
  });

  it("reads the array form, also with the empty fields that Chimera writes", () => {
    const config = read([
      { name: "fs", command: "npx", args: ["-y"], env: {} },
      { name: "web", command: "", args: [], env: {}, url: "https://host/mcp", token_env: "T" },
    ]);
    expect(config.form).toBe("array");
    expect(Object.keys(config.servers)).toEqual(["fs", "web"]);
    expect(config.servers["web"]?.transport).toEqual({
      kind: "http",
      url: "https://host/mcp",
      headers: {},
      tokenEnv: "T",
    });
  });

  it("reads {} and an empty list of servers as no servers", () => {
    expect(read("{}")).toEqual({ servers: {}, broken: [], form: "object" });
    expect(read({ mcpServers: {} }).servers).toEqual({});
    expect(read("[]").form).toBe("array");
  });

  it("reads comments and spare commas", () => {
    const text = '{\n // mine\n "mcpServers": { "s": { "command": "x", }, },\n}';
    expect(Object.keys(readText(text).servers)).toEqual(["s"]);
  });

  it("keeps the other servers when one is at fault, and says why", () => {
    const config = read({ mcpServers: { good: { command: "x" }, bad: { command: 1 } } });
    expect(Object.keys(config.servers)).toEqual(["good"]);
    expect(config.broken).toEqual([
      {
        name: "bad",
        problems: [
          {
            code: "WRONG_TYPE",
            severity: "error",
            file: "mcp.json",
            line: 7,
            column: 18,
            path: "mcpServers.bad.command",
            message: "Expected a text in double quotes, found a number.",
            server: "bad",
          },
        ],
      },
    ]);
  });

  it.each([
    ["neither command nor url", {}, "COMMAND_OR_URL mcpServers.s"],
    ["both", { command: "x", url: "https://h" }, "COMMAND_OR_URL mcpServers.s"],
    ["empty ones", { command: "", url: "" }, "COMMAND_OR_URL mcpServers.s"],
    [
      "another transport than its type",
      { type: "stdio", url: "https://h" },
      "COMMAND_OR_URL mcpServers.s.type",
    ],
    ["the SSE transport", { type: "sse", url: "https://h" }, "WRONG_VALUE mcpServers.s.type"],
    ["an unknown type", { type: "ws", url: "https://h" }, "WRONG_VALUE mcpServers.s.type"],
    [
      "an unknown protocol",
      { command: "x", protocol: "2024" },
      "WRONG_VALUE mcpServers.s.protocol",
    ],
    ["a text for an array", { command: "x", args: "-y" }, "WRONG_TYPE mcpServers.s.args"],
    [
      "a number among arguments",
      { command: "x", args: ["-p", 80] },
      "WRONG_TYPE mcpServers.s.args[1]",
    ],
    ["a number for a variable", { command: "x", env: { P: 80 } }, "WRONG_TYPE mcpServers.s.env.P"],
    [
      "a variable without a name",
      { command: "x", env: { "": "a" } },
      'WRONG_NAME mcpServers.s.env[""]',
    ],
    ["a NUL character", { command: "x", args: ["a\0b"] }, "WRONG_VALUE mcpServers.s.args[0]"],
    [
      "a limit of nothing",
      { command: "x", connect_timeout: 0 },
      "WRONG_VALUE mcpServers.s.connect_timeout",
    ],
    [
      "a negative limit",
      { command: "x", call_timeout: -1 },
      "WRONG_VALUE mcpServers.s.call_timeout",
    ],
    [
      "a limit of weeks",
      { command: "x", call_timeout: 1e7 },
      "WRONG_VALUE mcpServers.s.call_timeout",
    ],
    [
      "a limit as text",
      { command: "x", call_timeout: "30" },
      "WRONG_TYPE mcpServers.s.call_timeout",
    ],
    [
      "an empty filter",
      { command: "x", include_tags: [] },
      "WRONG_VALUE mcpServers.s.include_tags",
    ],
    [
      "a tag with blanks",
      { command: "x", exclude_tags: [" a"] },
      "WRONG_VALUE mcpServers.s.exclude_tags[0]",
    ],
    ["a prefix with a dot", { command: "x", prefix: "a." }, "WRONG_VALUE mcpServers.s.prefix"],
    [
      "a token instead of its variable",
      { url: "https://h", token_env: "sk-1" },
      "WRONG_VALUE mcpServers.s.token_env",
    ],
    [
      "a header on two lines",
      { url: "https://h", headers: { a: "b\r\nc: d" } },
      "WRONG_VALUE mcpServers.s.headers.a",
    ],
    [
      "a header name with a colon",
      { url: "https://h", headers: { "a:": "b" } },
      'WRONG_NAME mcpServers.s.headers["a:"]',
    ],
    [
      "one header in two spellings",
      { url: "https://h", headers: { a: "1", A: "2" } },
      "DUPLICATE_HEADER mcpServers.s.headers",
    ],
    [
      "two authorizations",
      { url: "https://h", headers: { Authorization: "x" }, token_env: "T" },
      "DUPLICATE_HEADER mcpServers.s.token_env",
    ],
    ["half a URL", { url: "host/mcp" }, "WRONG_URL mcpServers.s.url"],
    ["a file address", { url: "file:///etc/passwd" }, "WRONG_URL mcpServers.s.url"],
    ["a password in the URL", { url: "https://me:pw@h/" }, "WRONG_URL mcpServers.s.url"],
    [
      "a credential over http",
      { url: "http://host/", token_env: "T" },
      "CREDENTIAL_NEEDS_HTTPS mcpServers.s.url",
    ],
    [
      "on and off",
      { command: "x", disabled: true, enabled: true },
      "CONTRADICTION mcpServers.s.disabled",
    ],
    ["an array for a server", [], "WRONG_TYPE mcpServers.s"],
    [
      "a reference as the program",
      { command: "{env:X}" },
      "REFERENCE_NOT_ALLOWED mcpServers.s.command",
    ],
    [
      "a reference in program text",
      { command: "sh", args: ["-c", "echo {env:X}"] },
      "REFERENCE_IN_PROGRAM_TEXT mcpServers.s.args[1]",
    ],
    [
      "a look-alike of a reference",
      { command: "x", env: { A: "{env: X}" } },
      "WRONG_REFERENCE mcpServers.s.env.A",
    ],
  ])("leaves out a server with %s", (_, entry, problem) => {
    expect(problemsOf(entry)).toEqual([problem]);
  });

  it("says how to reach a server that speaks SSE", () => {
    expect(messageOf({ type: "sse", url: "https://h" })).toContain("streamable HTTP address");
  });

  it("takes enabled: false for disabled", () => {
    expect(serverOf({ command: "x", enabled: false })).toMatchObject({ disabled: true });
    expect(serverOf({ command: "x", disabled: true })).toMatchObject({ disabled: true });
    expect(serverOf({ command: "x", disabled: false, enabled: true })).toMatchObject({
      disabled: false,
    });
  });

  it("never makes no limit of a small one", () => {
    expect(serverOf({ command: "x", call_timeout: 0.000_01 })).toMatchObject({ callTimeoutMs: 1 });
    expect(serverOf({ command: "x", call_timeout: 0.07 })).toMatchObject({ callTimeoutMs: 70 });
  });

  it.each(["__proto__", "", "a b", "a.b", "-a", "é", "a".repeat(33), "a/b"])(
    "leaves out a server with the name %j",
    (name) => {
      const { servers, broken } = readText(
        `{"mcpServers": {${JSON.stringify(name)}: {"command": "x"}}}`,
      );
      expect(Object.keys(servers)).toEqual([]);
      expect(broken.map((server) => [server.name, server.problems[0]?.code])).toEqual([
        [name, "WRONG_NAME"],
      ]);
    },
  );

  it("takes constructor and toString for names like any other", () => {
    const { servers } = read({
      mcpServers: { constructor: { command: "x" }, toString: { command: "y" } },
    });
    expect(Object.keys(servers)).toEqual(["constructor", "toString"]);
    expect(servers["hasOwnProperty"]).toBeUndefined();
  });

  it("leaves out both of two servers whose tools could have one name", () => {
    const { servers, broken } = read({
      mcpServers: { my: { command: "x" }, my_server: { command: "y" }, mine: { command: "z" } },
    });
    expect(Object.keys(servers)).toEqual(["mine"]);
    expect(
      broken.map(({ name, problems }) => [name, problems[0]?.code, problems[0]?.line]),
    ).toEqual([
      ["my", "SERVER_NAME_CLASH", 3],
      ["my_server", "SERVER_NAME_CLASH", 6],
    ]);
  });

  it("refuses a server written twice as a key written twice", () => {
    const parsed = parseMcpConfig(
      '{"mcpServers": {"s": {"command": "a"}, "s": {"command": "b"}}}',
      "f",
    );
    expect(parsed).toMatchObject({
      ok: false,
      problems: [{ code: "DUPLICATE_KEY", line: 1, column: 40 }],
    });
  });

  it("leaves out both of two entries of the array form with one name, and one without a name", () => {
    const { servers, broken } = read([
      { name: "a", command: "x" },
      { name: "a", command: "y" },
      { command: "z" },
    ]);
    expect(servers).toEqual({});
    expect(broken.map(({ name, problems }) => [name, problems[0]?.code])).toEqual([
      ["[2]", "MISSING_KEY"],
      ["a", "SERVER_NAME_CLASH"],
      ["a", "SERVER_NAME_CLASH"],
    ]);
  });

  it("warns once of a key of another host, and does not count it", () => {
    const entry = { command: "x", autoApprove: ["rm"], alwaysAllow: true };
    const warnings = warningsOf({ mcpServers: { a: entry, b: entry } });
    expect(warnings.map(({ code, path, severity }) => `${severity} ${code} ${path}`)).toEqual([
      "warning UNKNOWN_KEY mcpServers.a.autoApprove",
      "warning UNKNOWN_KEY mcpServers.a.alwaysAllow",
    ]);
    expect(warnings[0]?.message).toBe(
      '"autoApprove" is another program\'s approval: it is kept and never counts here.',
    );
  });

  it("names the known key that an unknown one is near to", () => {
    const warnings = warningsOf({ mcpServers: { a: { command: "x", connectTimeout: 1 } } });
    expect(warnings.map(({ message, line, column }) => `${line}:${column} ${message}`)).toEqual([
      '5:7 "connectTimeout" is not a key of Postern: it is kept and has no effect. Did you mean "connect_timeout"?',
    ]);
  });

  it("warns of VS Code's key for servers", () => {
    const [warning] = warningsOf({ servers: { a: { command: "x" } } });
    expect(warning?.message).toContain('Postern reads "mcpServers"');
  });

  it("warns of keys that have no effect on this kind of server, and of another host's references", () => {
    const warnings = warningsOf({
      mcpServers: {
        a: { url: "https://h", args: ["x"], env: {}, headers: { A: "Bearer ${TOKEN}" } },
        b: { command: "x", token_env: "T", env: { A: "${input:key}" } },
      },
    });
    expect(warnings.map(({ code, path }) => `${code} ${path}`)).toEqual([
      "KEY_WITHOUT_EFFECT mcpServers.a.args",
      "FOREIGN_REFERENCE mcpServers.a.headers.A",
      "KEY_WITHOUT_EFFECT mcpServers.b.token_env",
      "FOREIGN_REFERENCE mcpServers.b.env.A",
    ]);
  });

  it.each([
    ["a text", '"x"', "WRONG_TYPE"],
    ["servers that are an array", '{"mcpServers": []}', "WRONG_TYPE"],
    ["no JSON", "{", "SYNTAX"],
    ["nothing", "", "SYNTAX"],
  ])("refuses a file that is %s", (_, text, code) => {
    expect(parseMcpConfig(text, "f")).toMatchObject({ ok: false, problems: [{ code, file: "f" }] });
  });
});

describe("a secret in the place of a name", () => {
  it.each([
    ["a variable", { command: "x", env: { "API_KEY=hunter2": "" } }],
    ["a variable without a telling name", { command: "x", env: { "A=hunter2": "" } }],
    ["a header", { url: "https://h", headers: { "Authorization: Bearer hunter2": "" } }],
    ["a setting", { command: "x", "token=hunter2": 1, args: 1 }],
    ["a value", { command: "x", protocol: "key=hunter2" }],
  ])("of %s is not repeated", (_what, server) => {
    const parsed = parseMcpConfig(JSON.stringify({ mcpServers: { s: server } }), "mcp.json");
    expect(parsed).toMatchObject({ value: { broken: [{ name: "s" }] } });
    expect(JSON.stringify(parsed)).not.toContain("hunter2");
  });
});
