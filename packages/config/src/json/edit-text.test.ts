import { fc } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { editText, findEdits, type JsonEdit } from "./edit-text.js";
import type { JsonPath, JsonValue } from "./json-value.js";
import { parseJson } from "./parse-json.js";
import { readText } from "./parse-tree.js";

const set = (path: JsonPath, value: JsonValue): JsonEdit => ({ path, value });
const cut = (...path: JsonPath): JsonEdit => ({ path, value: undefined });

const lines = (...parts: readonly string[]): string => parts.join("\n");

function valueOf(text: string): JsonValue | undefined {
  const parsed = parseJson(text, "f", { comments: true });
  return parsed.ok ? parsed.value.value : undefined;
}

describe("editText()", () => {
  const commented = lines(
    "// the owner's servers",
    "{",
    '  "a": 1, // about a',
    "  /* before b */",
    '  "b": 2 // about b',
    "  // the end",
    "}",
    "",
  );

  it("adds a key at the end, and leaves each comment with what it is about", () => {
    expect(editText(commented, [set(["c"], 3)])).toBe(
      lines(
        "// the owner's servers",
        "{",
        '  "a": 1, // about a',
        "  /* before b */",
        '  "b": 2, // about b',
        '  "c": 3',
        "  // the end",
        "}",
        "",
      ),
    );
  });

  it("changes a value where it stands", () => {
    expect(editText(commented, [set(["a"], "x")])).toBe(commented.replace("1", '"x"'));
  });

  it("takes a key out and loses no comment", () => {
    const first = editText(commented, [cut("a")]);
    expect(first).toBe(
      lines(
        "// the owner's servers",
        "{",
        "  // about a",
        "  /* before b */",
        '  "b": 2 // about b',
        "  // the end",
        "}",
        "",
      ),
    );
    const last = editText(commented, [cut("b")]);
    expect(last).toBe(
      lines(
        "// the owner's servers",
        "{",
        '  "a": 1 // about a',
        "  /* before b */",
        "  // about b",
        "  // the end",
        "}",
        "",
      ),
    );
  });

  it("takes a whole line out where nothing else is on it", () => {
    const text = lines("{", '  "a": 1,', '  "b": {', '    "x": 1', "  },", '  "c": 3', "}");
    expect(editText(text, [cut("b")])).toBe(lines("{", '  "a": 1,', '  "c": 3', "}"));
    expect(editText(text, [cut("c")])).toBe(
      lines("{", '  "a": 1,', '  "b": {', '    "x": 1', "  }", "}"),
    );
  });

  it("keeps a document on one line where it is on one", () => {
    expect(editText('{"a": 1, "b": 2}', [cut("a")])).toBe('{"b": 2}');
    expect(editText('{"a": 1, "b": 2}', [cut("b")])).toBe('{"a": 1}');
    expect(editText('{"a": 1}', [set(["b"], [1, 2])])).toBe('{"a": 1, "b": [1, 2]}');
    expect(editText('{"a": 1,}', [set(["b"], 2)])).toBe('{"a": 1, "b": 2}');
    expect(editText('{"a": 1,}', [cut("a")])).toBe("{}");
  });

  it("uses the document's indentation, line ends and byte order mark", () => {
    const text = '\ufeff{\r\n\t"a": {\r\n\t\t"b": 1\r\n\t}\r\n}\r\n';
    expect(editText(text, [set(["a", "c"], { d: { e: true } })])).toBe(
      '\ufeff{\r\n\t"a": {\r\n\t\t"b": 1,\r\n\t\t"c": {\r\n\t\t\t"d": {\r\n\t\t\t\t"e": true\r\n\t\t\t}\r\n\t\t}\r\n\t}\r\n}\r\n',
    );
  });

  it("keeps the comments of an empty object above what is put in", () => {
    expect(editText("{\n  // none yet\n}\n", [set(["a"], 1)])).toBe(
      '{\n  // none yet\n  "a": 1\n}\n',
    );
    expect(editText("{}", [set(["a"], 1)])).toBe('{\n  "a": 1\n}');
  });

  it("keeps a spare comma a spare comma", () => {
    expect(editText('{\n  "a": 1, // x\n}', [set(["b"], 2)])).toBe(
      '{\n  "a": 1, // x\n  "b": 2,\n}',
    );
  });

  it("adds to an array, and takes out of it", () => {
    expect(editText("[\n  1\n]", [set([1], { a: 1 })])).toBe('[\n  1,\n  {\n    "a": 1\n  }\n]');
    expect(editText("[1, 2, 3]", [cut(2), cut(0)])).toBe("[2]");
  });

  it("writes keys and values that need escapes", () => {
    expect(valueOf(editText("{}", [set(['a"\n'], "\u2028\\")]))).toEqual({ 'a"\n': "\u2028\\" });
  });

  it("leaves a document alone where there is nothing at the path", () => {
    expect(editText('{"a": 1}', [cut("b"), cut("a", "b"), set(["x", "y"], 1), cut()])).toBe(
      '{"a": 1}',
    );
  });

  const trivia = fc.constantFrom(
    "",
    " ",
    "\n",
    "\n  ",
    " /* c */ ",
    " // c\n",
    "\r\n\t",
    "/* a\n b */",
  );
  const key = fc.constantFrom("a", "b", "c", "__proto__");
  const { document } = fc.letrec<{ document: string; value: string }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom("1", '"x,}"', "null", "[]"),
      tie("document"),
    ),
    document: fc
      .tuple(
        fc.uniqueArray(key),
        fc.array(tie("value"), { minLength: 4, maxLength: 4 }),
        fc.array(trivia, { minLength: 20, maxLength: 20 }),
        fc.boolean(),
      )
      .map(([keys, values, gaps, spare]) => {
        let at = 0;
        const gap = (): string => gaps[at++ % gaps.length] ?? "";
        const members = keys.map(
          (name, index) => `${gap()}"${name}"${gap()}:${gap()}${values[index] ?? "1"}${gap()}`,
        );
        return `{${members.join(",")}${spare && members.length > 0 ? "," : ""}${gap()}}`;
      }),
  }));

  it("gives a document with the value changed, and keeps every comment outside of what is taken out", () => {
    fc.assert(
      fc.property(
        document,
        key,
        fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined }),
        (text, name, value) => {
          const before = valueOf(text) as Record<string, JsonValue>;
          const changed = editText(text, [{ path: [name], value: value as JsonValue | undefined }]);
          const expected = new Map(Object.entries(before));
          if (value === undefined) expected.delete(name);
          else expected.set(name, value as JsonValue);
          expect(Object.entries(valueOf(changed) ?? { broken: changed })).toEqual(
            JSON.parse(JSON.stringify([...expected])),
          );
          const member = readText(text, "", { comments: true }).root;
          const own =
            member?.kind === "object"
              ? member.members.find((found) => found.key === name)
              : undefined;
          const from =
            own === undefined ? 0 : value === undefined ? own.keyOffset : own.value.offset;
          const kept = own === undefined ? text : text.slice(0, from) + text.slice(own.value.end);
          expect(commentsOf(changed)).toEqual(commentsOf(kept));
        },
      ),
      { numRuns: 700 },
    );
  });

  it("gives any wanted value by the edits that lead to it", () => {
    fc.assert(
      fc.property(document, document, (text, wanted) => {
        const { root } = readText(text, "", { comments: true });
        const value = valueOf(wanted);
        const edits = root === undefined || value === undefined ? [] : findEdits(root, value, []);
        const changed = valueOf(editText(text, edits));
        expect(sorted(changed)).toBe(sorted(value));
      }),
      { numRuns: 300 },
    );
  });
});

/** The generated comments of a text. */
function commentsOf(text: string): readonly string[] {
  return (text.match(/\/\/ c|\/\* c \*\/|\/\* a\n b \*\//g) ?? []).toSorted();
}

/** A value as text, with the keys of objects in order. */
function sorted(value: JsonValue | undefined): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => sorted(item)).join()}]`;
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([name, item]) => `${name}:${sorted(item)}`).join()}}`;
}
