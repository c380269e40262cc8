import { fc } from "@postern/test-kit";
import type { JsonObject } from "@postern/tool";
import { describe, expect, it } from "vitest";
import { createToolListing } from "../../fixtures/sample-source.js";
import { checkArguments } from "./check-arguments.js";

/** What is wrong with arguments, by a schema. */
function check(inputSchema: JsonObject, args: JsonObject): readonly string[] {
  const error = checkArguments(createToolListing("t", { inputSchema }), args);
  const data: { readonly problems?: readonly string[] } = error?.data ?? {};
  return data.problems ?? [];
}

describe("checkArguments", () => {
  const schema: JsonObject = {
    type: "object",
    properties: {
      path: { type: "string", minLength: 1 },
      count: { type: "integer", minimum: 1, maximum: 10 },
      mode: { enum: ["fast", "slow"] },
      tags: { type: "array", items: { type: "string" } },
      where: { type: "object", properties: { "a/b": { type: "boolean" } } },
    },
    required: ["path"],
    additionalProperties: false,
  };

  it("lets fitting arguments pass", () => {
    expect(check(schema, { path: "x", count: 3, mode: "fast", tags: ["a"] })).toEqual([]);
  });

  it.each([
    [{}, ['"path" is missing']],
    [{ path: 5 }, ["path: expected string, got number"]],
    [{ path: "" }, ["path: String is too short (0 < 1)"]],
    [{ path: "x", count: 11 }, ["count: 11 is greater than 10"]],
    [{ path: "x", count: 1.5 }, ["count: expected integer, got number"]],
    [{ path: "x", mode: "quick" }, ['mode: must be one of "fast","slow"']],
    [{ path: "x", tags: ["a", 1] }, ["tags.1: expected string, got number"]],
    [{ path: "x", where: { "a/b": 1 } }, ['where."a/b": expected boolean, got number']],
    [{ path: "x", cuont: 1 }, ['"cuont" is not a known argument; did you mean "count"?']],
    [
      { path: "x", zebra: 1 },
      ['"zebra" is not a known argument; known are "path", "count", "mode", "tags", "where"'],
    ],
    [{ Path: "x" }, ['"path" is missing', '"Path" is not a known argument; did you mean "path"?']],
  ])("says of %j what to correct", (args, problems) => {
    expect(check(schema, args as JsonObject)).toEqual(problems);
  });

  it("knows forms that exclude each other", () => {
    const either: JsonObject = {
      properties: { id: { anyOf: [{ type: "string" }, { type: "integer" }] } },
    };
    expect(check(either, { id: true })).toEqual([
      "id: fits none, or more than one, of the allowed forms",
      "id: expected string, got boolean",
      "id: expected integer, got boolean",
    ]);
  });

  it("follows references within the schema", () => {
    const tree: JsonObject = {
      $ref: "#/$defs/node",
      $defs: {
        node: {
          type: "object",
          properties: { next: { $ref: "#/$defs/node" }, value: { type: "number" } },
        },
      },
    };
    expect(check(tree, { next: { next: { value: "x" } } })).toEqual([
      "next.next.value: expected number, got string",
    ]);
  });

  it.each([
    ["http://json-schema.org/draft-04/schema#", { minimum: 5, exclusiveMinimum: true }],
    ["http://json-schema.org/draft-07/schema#", { exclusiveMinimum: 5 }],
    ["https://json-schema.org/draft/2019-09/schema", { exclusiveMinimum: 5 }],
    ["https://json-schema.org/draft/2020-12/schema", { exclusiveMinimum: 5 }],
  ])("reads the dialect %s", ($schema, rule) => {
    const dialect: JsonObject = { $schema, properties: { n: rule } };
    expect([check(dialect, { n: 6 }), check(dialect, { n: 5 }).length]).toEqual([[], 1]);
  });

  it("names no more than eight problems, each short", () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`x${at}`, 1]));
    const problems = check(schema, { path: "x".repeat(9), ...many, ["y".repeat(5_000)]: 1 });
    expect([problems.length, Math.max(...problems.map(({ length }) => length)) < 400]).toEqual([
      8,
      true,
    ]);
  });

  it("shows control characters of a caller's names escaped", () => {
    expect(check({ additionalProperties: false }, { "a\u001b[2Jb": 1 })).toEqual([
      '"a\\u001b[2Jb" is not a known argument',
    ]);
  });

  it("does not take inherited names for given arguments", () => {
    expect(check({ required: ["constructor"] }, {})).toEqual(['"constructor" is missing']);
  });
});

describe("checkArguments with a hostile schema", () => {
  const doubling = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [
      `d${at}`,
      { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
    ]),
  );

  it.each<[string, JsonObject, JsonObject]>([
    ["a reference to itself", { $ref: "#" }, {}],
    [
      "references in a circle",
      { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
      {},
    ],
    [
      "references that double the work",
      { $ref: "#/$defs/d0", $defs: { ...doubling, d40: {} } },
      {},
    ],
    ["a remote reference", { $ref: "https://example.test/schema.json" }, {}],
    ["a reference to nowhere", { properties: { a: { $ref: "#/$defs/none" } } }, { a: 1 }],
    ["a broken pattern", { properties: { a: { pattern: "(" } } }, { a: "x" }],
    [
      "a pattern that runs away",
      { properties: { a: { pattern: "^(a+)+$" } } },
      { a: `${"a".repeat(100)}!` },
    ],
    [
      "a pattern of alternatives that runs away",
      { properties: { a: { pattern: "^(a|a)*$" } } },
      { a: `${"a".repeat(100)}!` },
    ],
    [
      "many optional parts",
      { properties: { a: { pattern: `${"a?".repeat(40)}${"a".repeat(40)}` } } },
      { a: "a".repeat(39) },
    ],
    [
      "a slow pattern on a long text",
      { properties: { a: { pattern: "a+b" } } },
      { a: "a".repeat(1_000_000) },
    ],
    [
      "member patterns that run away",
      { patternProperties: { "^(a+)+$": false }, additionalProperties: false },
      { [`${"a".repeat(100)}!`]: 1 },
    ],
    [
      "unique items of a long list",
      { properties: { a: { uniqueItems: true } } },
      { a: Array.from({ length: 50_000 }, () => 1) },
    ],
    [
      "keywords of the wrong type",
      { required: 5, properties: null, enum: {}, anyOf: 3, items: "x" },
      { a: 1 },
    ],
    ["a type that is no type", { type: 7, allOf: [null] }, { a: 1 }],
  ])("passes %s in bounded time", (_name, schema, args) => {
    const start = performance.now();
    const problems = check(schema, args);
    expect({
      isFast: performance.now() - start < 1_000,
      isText: problems.every((text) => typeof text === "string"),
    }).toEqual({ isFast: true, isText: true });
  });

  it("passes a schema deeper or larger than any honest one", () => {
    let deep: JsonObject = { type: "string" };
    for (let depth = 0; depth < 5_000; depth += 1) deep = { properties: { a: deep } };
    const large: JsonObject = { anyOf: Array.from({ length: 30_000 }, () => ({ type: "string" })) };
    expect([check(deep, { a: 1 }), check(large, {})]).toEqual([[], []]);
  });

  it("still checks the rest of a schema whose pattern is not run", () => {
    const mixed: JsonObject = { properties: { a: { type: "string", pattern: "^(a+)+$" } } };
    expect(check(mixed, { a: 1 })).toEqual(["a: expected string, got number"]);
  });

  it("runs patterns of bounded work", () => {
    const dated: JsonObject = { properties: { day: { pattern: "^\\d{4}-\\d{2}-\\d{2}$" } } };
    expect([check(dated, { day: "2026-07-28" }), check(dated, { day: "soon" })]).toEqual([
      [],
      ["day: String does not match pattern"],
    ]);
  });

  it("never throws, whatever the schema and the arguments", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue()), (schema, args) => {
        const listing = createToolListing("t", { inputSchema: schema as JsonObject });
        checkArguments(listing, args);
      }),
      { numRuns: 300 },
    );
  });

  it("never throws for keywords in wild places", () => {
    const keyword = fc.constantFrom(
      "$ref",
      "type",
      "properties",
      "items",
      "allOf",
      "pattern",
      "patternProperties",
      "required",
      "$id",
      "$defs",
      "enum",
      "const",
      "if",
      "not",
      "dependencies",
      "$recursiveRef",
      "$anchor",
      "contains",
      "multipleOf",
    );
    const value = fc.oneof(
      fc.constantFrom("#", "#/a", "x", "(", "string", 0, -1, true, null),
      fc.array(fc.constantFrom("a", {}, 1, null)),
      fc.dictionary(keyword, fc.anything({ maxDepth: 2 })),
    );
    fc.assert(
      fc.property(
        fc.dictionary(keyword, value),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (schema, args) => {
          const listing = createToolListing("t", { inputSchema: schema as JsonObject });
          checkArguments(listing, args);
        },
      ),
      { numRuns: 300 },
    );
  });
});
