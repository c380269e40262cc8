import { readFile } from "node:fs/promises";
import { Validator, type Schema } from "@cfworker/json-schema";
import { fc } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "./json/json-value.js";
import { parseMcpConfig } from "./mcp/parse-mcp-config.js";
import type { Problem } from "./problem.js";
import { parsePosternConfig } from "./project/parse-postern-config.js";
import { mcpSchema, posternSchema } from "./schemas.js";

/** What a schema can see. The rest (addresses, clashes, program text) takes more than a schema. */
const schemaCodes = new Set([
  "WRONG_TYPE",
  "WRONG_VALUE",
  "WRONG_NAME",
  "UNKNOWN_KEY",
  "MISSING_KEY",
]);

function isValid(schema: JsonObject, document: unknown): boolean {
  const validator = new Validator(JSON.parse(JSON.stringify(schema)) as Schema, "2020-12");
  return validator.validate(JSON.parse(JSON.stringify(document))).valid;
}

/** All errors of a document, those of single servers too. */
function errorsOf(kind: "mcp" | "postern", document: unknown): readonly Problem[] {
  const text = JSON.stringify(document);
  if (kind === "postern") {
    const parsed = parsePosternConfig(text, "f");
    return parsed.ok ? [] : parsed.problems;
  }
  const parsed = parseMcpConfig(text, "f");
  return parsed.ok ? parsed.value.broken.flatMap(({ problems }) => problems) : parsed.problems;
}

const odd = fc.oneof({
  weight: 1,
  arbitrary: fc.constantFrom<unknown>(
    null,
    1,
    -1,
    0,
    1e9,
    "",
    " a",
    "a\0",
    true,
    [],
    [""],
    {},
    { a: 1 },
  ),
});
const mostly = (good: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 9, arbitrary: good }, { weight: 1, arbitrary: odd });

const tags = mostly(fc.constantFrom([], ["web"], ["a b", "c"], [" x"]));
const fields = {
  type: mostly(fc.constantFrom("stdio", "http", "streamable-http", "sse", "ws")),
  command: mostly(fc.constantFrom("npx", "")),
  args: mostly(fc.constantFrom(["-y", "x"], [], [1])),
  env: mostly(fc.constantFrom({ A: "b" }, {}, { A: 1 }, { "A=": "b" })),
  cwd: mostly(fc.constantFrom("/srv", "")),
  url: mostly(fc.constantFrom("https://host/mcp", "")),
  headers: mostly(fc.constantFrom({ "X-A": "b" }, { "a b": "c" }, { a: "b\nc" })),
  token_env: mostly(fc.constantFrom("TOKEN", "1T", "a-b")),
  connect_timeout: mostly(fc.constantFrom(1, 0.5, 0)),
  catalog_timeout: mostly(fc.constantFrom(1, 86_401)),
  call_timeout: mostly(fc.constantFrom(0, 900)),
  include_tags: tags,
  exclude_tags: tags,
  protocol: mostly(fc.constantFrom("auto", "legacy", "2026-07-28", "2025-06-18")),
  prefix: mostly(fc.constantFrom("", "a_", "a.")),
  disabled: mostly(fc.boolean()),
  enabled: mostly(fc.boolean()),
  extra: fc.constant(1),
};
const server = fc
  .record(fields, { requiredKeys: [] })
  .chain((entry) =>
    fc.constantFrom(
      entry,
      { command: "x", ...entry },
      { url: "https://h", ...entry },
      { command: "x" },
    ),
  );
const name = fc.constantFrom("a", "b", "c_d", "a b", "", "é");
const servers = fc.dictionary(name, mostly(server), { maxKeys: 2 });
const mcp = fc.oneof(
  fc.record(
    { mcpServers: mostly(servers), $schema: mostly(fc.constant("x")), theme: odd },
    { requiredKeys: [] },
  ),
  fc.array(
    server.chain((entry) =>
      fc
        .record({ name: mostly(name) }, { requiredKeys: [] })
        .map((named) => ({ ...entry, ...named })),
    ),
    { maxLength: 2 },
  ),
  odd,
);
const reference = fc.record(
  { use: mostly(name), include_tags: tags, exclude_tags: tags, extra: odd },
  { requiredKeys: ["use"] },
);
const said = fc.record(
  { read_only: mostly(fc.boolean()), destructive: mostly(fc.boolean()), extra: odd },
  { requiredKeys: [] },
);
const postern = fc.oneof(
  fc.record(
    {
      general: mostly(
        fc.record(
          {
            access_level: mostly(fc.constantFrom("full", "read_only", "none")),
            bundled_tools: mostly(
              fc.record(
                { enabled: mostly(fc.boolean()), include_tags: tags, exclude_tags: tags },
                { requiredKeys: [] },
              ),
            ),
            tool_access: mostly(
              fc.dictionary(fc.constantFrom("t", "s/t", "a b", ""), mostly(said)),
            ),
          },
          { requiredKeys: [] },
        ),
      ),
      domains: mostly(
        fc.dictionary(
          fc.constantFrom("d", "two words", " d", ""),
          mostly(
            fc.record(
              {
                description: mostly(fc.string()),
                mcp_servers: mostly(
                  fc.dictionary(name, mostly(fc.oneof(server, reference)), { maxKeys: 2 }),
                ),
              },
              { requiredKeys: [] },
            ),
          ),
          { maxKeys: 2 },
        ),
      ),
      models: mostly(fc.object()),
      guard: mostly(fc.object()),
      paths: mostly(fc.object()),
      generall: fc.constant({}),
    },
    { requiredKeys: [] },
  ),
  odd,
);

function isForm(code: string): boolean {
  return schemaCodes.has(code) || code === "COMMAND_OR_URL";
}

describe.each([
  ["mcp", mcpSchema, mcp],
  ["postern", posternSchema, postern],
] as const)("the schema of %s.json", (kind, schema, documents) => {
  it("is the one that is shipped", async () => {
    const shipped = await readFile(new URL(`../schemas/${kind}.json`, import.meta.url), "utf8");
    expect(JSON.parse(shipped)).toEqual(JSON.parse(JSON.stringify(schema)));
  });

  it("accepts whatever the parser accepts, and refuses what the parser refuses for its form", () => {
    fc.assert(
      fc.property(documents, (document) => {
        const codes = errorsOf(kind, document).map(({ code }) => code);
        const valid = isValid(schema, document);
        expect(valid || codes.some(isForm)).toBe(true);
        expect(valid && codes.some((code) => schemaCodes.has(code))).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it("describes every key", () => {
    const keys = findUndescribed(JSON.parse(JSON.stringify(schema)) as JsonObject, kind);
    expect(keys).toEqual([]);
  });
});

/** The properties of a schema, at any depth, that say nothing of themselves. */
function findUndescribed(schema: JsonObject, path: string): readonly string[] {
  return Object.entries(schema).flatMap(([key, part]): readonly string[] => {
    if (typeof part !== "object" || part === null) return [];
    const own =
      key === "properties" && path !== "oneOf"
        ? Object.entries(part as JsonObject)
            .filter(
              ([, value]) =>
                typeof value === "object" &&
                value !== null &&
                !("description" in value) &&
                !("minLength" in value),
            )
            .map(([property]) => `${path}.${property}`)
        : [];
    return [...own, ...findUndescribed(part as JsonObject, key)];
  });
}
