import { fc } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import type { Problem } from "../problem.js";
import { parseJson } from "./parse-json.js";
import type { JsonOptions } from "./parse-tree.js";

/** The problems of a text as `CODE line:column path`. */
function problemsOf(text: string, options?: JsonOptions): readonly string[] {
  const parsed = parseJson(text, "x.json", options);
  return (parsed.ok ? [] : parsed.problems).map(toLine);
}

function toLine({ code, line, column, path }: Problem): string {
  return `${code} ${line}:${column} ${path}`.trim();
}

function messageOf(text: string): string | undefined {
  const parsed = parseJson(text, "x.json");
  return parsed.ok ? undefined : parsed.problems[0]?.message;
}

function valueOf(text: string, options?: JsonOptions): unknown {
  const parsed = parseJson(text, "x.json", options);
  return parsed.ok ? parsed.value.value : parsed.problems;
}

describe("parseJson()", () => {
  it("reads what JSON.parse reads", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(JSON.stringify(valueOf(text))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it("agrees with JSON.parse on which texts are JSON", () => {
    const piece = fc.constantFrom(
      ...String.raw`{}[],:"\ -+.eE019u/*x'`.split(""),
      "\n",
      "\t",
      "true",
      "null",
      '"a"',
      '"b":',
      "1",
      "\u2028",
      "\u0001",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        const parsed = parseJson(text, "x.json");
        const own = parsed.ok || parsed.problems.every(({ code }) => code === "DUPLICATE_KEY");
        expect(own).toBe(isJson(text));
      }),
      { numRuns: 1500 },
    );
  });

  it("never throws, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.boolean(), (text, comments) => {
        expect(parseJson(text, "x.json", { comments })).toHaveProperty("ok");
      }),
    );
  });

  it("refuses a key that is written twice and names both places", () => {
    const text = '{\n  "a": 1,\n  "b": {},\n    "a": 2\n}';
    expect(problemsOf(text)).toEqual(["DUPLICATE_KEY 4:5 a"]);
    expect(messageOf(text)).toBe('"a" is written twice, at 2:3 and at 4:5. Keep one of them.');
  });

  it("finds a key that is written twice in any object, and every such key", () => {
    expect(problemsOf('{"a": [{"x": 1, "x": 2}], "b": {"y": 1, "\\u0079": 2, "y": 3}}')).toEqual([
      "DUPLICATE_KEY 1:17 a[0].x",
      "DUPLICATE_KEY 1:41 b.y",
      "DUPLICATE_KEY 1:54 b.y",
    ]);
  });

  it("skips a byte order mark without moving the columns", () => {
    expect(valueOf('\ufeff{"a": 1}')).toEqual({ a: 1 });
    expect(problemsOf('\ufeff{"a": x}')).toEqual(["SYNTAX 1:7 a"]);
  });

  it.each([
    ["LF", "\n"],
    ["CR LF", "\r\n"],
    ["CR", "\r"],
  ])("counts lines that end with %s", (_, lineEnd) => {
    expect(problemsOf(["{", '  "a": 1,', "  b", "}"].join(lineEnd))).toEqual(["SYNTAX 3:3"]);
  });

  it("refuses comments and spare commas in plain JSON, at their place", () => {
    expect(problemsOf('{ // note\n"a": 1 }')).toEqual(["COMMENT 1:3"]);
    expect(problemsOf('{"a": /* note */ 1}')).toEqual(["COMMENT 1:7 a"]);
    expect(problemsOf('{"a": [1, 2,]}')).toEqual(["SYNTAX 1:12 a"]);
  });

  it("reads comments and spare commas where they are allowed", () => {
    const text =
      '// first\n{ /* a */ "a": [1, /* two */ 2, ], // end\n "b": "// text", }\n/* last */';
    expect(valueOf(text, { comments: true })).toEqual({ a: [1, 2], b: "// text" });
  });

  it("refuses a comment without an end", () => {
    expect(problemsOf('{"a": 1} /* oh', { comments: true })).toEqual(["COMMENT 1:10"]);
  });

  it("refuses two commas in a row also where a spare one is allowed", () => {
    expect(problemsOf("[1,,]", { comments: true })).toEqual(["SYNTAX 1:4 [1]"]);
    expect(problemsOf("[,]", { comments: true })).toEqual(["SYNTAX 1:2 [0]"]);
  });

  it.each([
    ["", "The file is empty. Write {} or delete it."],
    ["  \n", "The file is empty. Write {} or delete it."],
    ['{"a" 1}', "Expected a colon, found a number."],
    ['{"a": 1 "b": 2}', "Expected a comma or }, found a string."],
    ["[1 2]", "Expected a comma or ], found a number."],
    ["{} {}", 'Expected the end of the file, found "{".'],
    ['{"a":', "Expected a value, found the end of the file."],
    ["{'a': 1}", "Text stands in double quotes in JSON, not in single ones."],
    ['{"a": 1e999}', "This number is too large."],
    ['"ab\ncd"', 'This text has no end: close it with " on the same line.'],
    ['"C:\\dir"', "This escape is not one of JSON. For a backslash write two of them."],
    [
      '"a\tb"',
      "A control character cannot stand in a text: write it as an escape, for instance \\t.",
    ],
  ])("says what is wrong with %j", (text, message) => {
    expect(messageOf(text)).toBe(message);
  });

  it("never quotes a value in a message", () => {
    expect(messageOf('{"token": "sk-secret" "x"}')).not.toContain("sk-secret");
    expect(messageOf('{"token": sk-secret}')).not.toContain("sk-secret");
  });

  it("makes control and bidirectional characters of a key visible", () => {
    const text = '{"\\u001b[2J\\u202e": 1, "\\u001b[2J\\u202e": 2}';
    expect(messageOf(text)).toContain('"\\u{1b}[2J\\u{202e}"');
  });

  it("refuses nesting deeper than 64, however deep, and does not crash", () => {
    expect(problemsOf("[".repeat(64) + "]".repeat(64))).toEqual([]);
    expect(problemsOf("[".repeat(66) + "]".repeat(66))).toHaveLength(1);
    expect(problemsOf("[".repeat(500_000))[0]).toMatch(/^TOO_DEEP 1:66 /);
    expect(problemsOf('{"a":'.repeat(150_000))[0]).toMatch(/^TOO_DEEP /);
  });

  it("refuses a text that is too long before reading it", () => {
    expect(problemsOf(`"${"x".repeat(1_048_576)}"`)).toEqual(["TOO_LARGE 1:1"]);
    expect(problemsOf(`"${"x".repeat(1_048_574)}"`)).toEqual([]);
  });

  it("tells no more than 50 problems", () => {
    expect(problemsOf(`{${'"a": 1,'.repeat(1000)}"b": 2}`)).toHaveLength(50);
  });

  it("takes __proto__ and constructor as keys like any other", () => {
    const value = valueOf('{"__proto__": {"polluted": true}, "constructor": 1}') as Record<
      string,
      unknown
    >;
    expect(Object.keys(value)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(value)).toBeNull();
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("freezes the whole value", () => {
    const value = valueOf('{"a": [{}]}') as { a: [object] };
    expect([value, value.a, value.a[0]].every((part) => Object.isFrozen(part))).toBe(true);
  });

  it("tells where a value begins", () => {
    const parsed = parseJson('{\n "a": [10,\n  {"b": 2}]}', "x.json");
    const places = parsed.ok ? [["a"], ["a", 0], ["a", 1, "b"], ["a", 5], ["c"], []] : [];
    expect(places.map((path) => parsed.ok && parsed.value.positionOf(path))).toEqual([
      { line: 2, column: 7 },
      { line: 2, column: 8 },
      { line: 3, column: 9 },
      undefined,
      undefined,
      { line: 1, column: 1 },
    ]);
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
