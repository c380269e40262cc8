import { findNearest } from "../find-nearest.js";
import { toJsonValue, toRecord, type JsonMember, type JsonNode } from "../json/json-node.js";
import type { JsonObject, JsonPath } from "../json/json-value.js";
import { toQuotedKey } from "../masking/plain-text.js";
import type { Report } from "../report.js";
import type {
  AnyObjectShape,
  BooleanShape,
  ListShape,
  MapShape,
  NumberShape,
  ObjectShape,
  Shape,
  StringShape,
} from "./shape.js";

/** What a value of a shape reads as. Fields that are left out, or are wrong, read as undefined. */
export type ValueOf<S> = S extends {
  readonly kind: "string";
  readonly values: readonly (infer V)[];
}
  ? V
  : S extends StringShape
    ? string
    : S extends BooleanShape
      ? boolean
      : S extends NumberShape
        ? number
        : S extends { readonly kind: "list"; readonly of: infer Of }
          ? readonly ValueOf<Of>[]
          : S extends { readonly kind: "map"; readonly of: infer Of }
            ? Readonly<Record<string, ValueOf<Of>>>
            : S extends { readonly kind: "object"; readonly fields: infer Fields }
              ? { readonly [Key in keyof Fields]: ValueOf<Fields[Key]> | undefined }
              : S extends AnyObjectShape
                ? JsonObject
                : unknown;

/** A value of the document, where it is, and where problems with it go. */
export interface Reading {
  readonly node: JsonNode;
  readonly path: JsonPath;
  readonly report: Report;
}

/**
 * Reads a value by its shape. Each fault goes to the report, with its place.
 *
 * @returns The value, without what was at fault; undefined where nothing is left of it.
 */
export function readShape<const S extends Shape>(
  shape: S,
  reading: Reading,
): ValueOf<S> | undefined {
  return readAny(shape, reading) as ValueOf<S> | undefined;
}

function readAny(shape: Shape, reading: Reading): unknown {
  const { node } = reading;
  switch (shape.kind) {
    case "string":
      return node.kind === "string"
        ? readString(shape, reading, node.value)
        : wrongType(shape, reading);
    case "boolean":
      if (shape.nullable === true && node.kind === "null") return undefined;
      return node.kind === "boolean" ? node.value : wrongType(shape, reading);
    case "seconds":
      return node.kind === "number"
        ? readSeconds(shape, reading, node.value)
        : wrongType(shape, reading);
    case "list":
      return node.kind === "array"
        ? readList(shape, reading, node.items)
        : wrongType(shape, reading);
    case "map":
      return node.kind === "object"
        ? readMap(shape, reading, node.members)
        : wrongType(shape, reading);
    case "object":
      return node.kind === "object"
        ? readObject(shape, reading, node.members)
        : wrongType(shape, reading);
    case "choice":
      if (node.kind !== "object") return wrongType(shape, reading);
      return readAny(findByKey(node.members, shape.key) ? shape.present : shape.absent, reading);
    case "any-object":
      break;
  }
  return node.kind === "object" ? toJsonValue(node) : wrongType(shape, reading);
}

function wrong({ node, path, report }: Reading, code: string, message: string): undefined {
  report.error({ code, message, offset: node.offset, path });
}

const expectedWords: Readonly<Record<Shape["kind"], string>> = {
  string: "a text in double quotes",
  boolean: "true or false",
  seconds: "a number of seconds",
  list: "an array",
  map: "an object",
  object: "an object",
  choice: "an object",
  "any-object": "an object",
};

const foundWords: Readonly<Record<JsonNode["kind"], string>> = {
  string: "a text",
  boolean: "true or false",
  number: "a number",
  array: "an array",
  object: "an object",
  null: "null",
};

function wrongType(shape: Shape, reading: Reading): undefined {
  const message = `Expected ${expectedWords[shape.kind]}, found ${foundWords[reading.node.kind]}.`;
  return wrong(reading, "WRONG_TYPE", message);
}

function readString(shape: StringShape, reading: Reading, value: string): string | undefined {
  const hint =
    shape.hints === undefined || !Object.hasOwn(shape.hints, value)
      ? undefined
      : shape.hints[value];
  if (hint !== undefined) return wrong(reading, "WRONG_VALUE", hint);
  if (shape.values !== undefined && !shape.values.includes(value)) {
    const allowed = shape.values.map((name) => `"${name}"`).join(", ");
    return wrong(
      reading,
      "WRONG_VALUE",
      `Expected one of ${allowed}, found ${toQuotedKey(value)}.`,
    );
  }
  if (value.includes("\0"))
    return wrong(reading, "WRONG_VALUE", "A text with a NUL character cannot be used.");
  // The value is not quoted: it may be a secret in the wrong place.
  if (shape.form !== undefined && !new RegExp(shape.form.pattern, "u").test(value))
    return wrong(reading, "WRONG_VALUE", `Expected ${shape.form.words}.`);
  return value;
}

function readSeconds(shape: NumberShape, reading: Reading, value: number): number | undefined {
  if (value <= shape.max && (shape.zero ? value >= 0 : value > 0)) return value;
  const least = shape.zero ? "from 0 (no limit)" : "above 0";
  return wrong(
    reading,
    "WRONG_VALUE",
    `Expected seconds ${least} to ${shape.max}, found ${value}.`,
  );
}

function readList(shape: ListShape, reading: Reading, items: readonly JsonNode[]): unknown {
  if (shape.notEmpty === true && items.length === 0)
    return wrong(
      reading,
      "WRONG_VALUE",
      "An empty list is refused here: it could be read as everything or as nothing. Leave the key out, or name something.",
    );
  const { path, report } = reading;
  const values = items.map((node, index) =>
    readAny(shape.of, { node, path: [...path, index], report }),
  );
  return Object.freeze(values.filter((value) => value !== undefined));
}

function readMap(shape: MapShape, reading: Reading, members: readonly JsonMember[]): unknown {
  const entries: [string, unknown][] = [];
  for (const member of members) {
    const path = [...reading.path, member.key];
    const { report } = reading;
    if (!checkKey(shape, { member, path, report })) continue;
    const value = readAny(shape.of, { node: member.value, path, report });
    if (value !== undefined) entries.push([member.key, value]);
  }
  return toRecord(entries);
}

/** Checks a key of a map, and reports one of the wrong form. */
export function checkKey(
  shape: MapShape,
  {
    member,
    path,
    report,
  }: { readonly member: JsonMember; readonly path: JsonPath; readonly report: Report },
): boolean {
  if (new RegExp(shape.keys.pattern, "u").test(member.key)) return true;
  const message = `${toQuotedKey(member.key)} cannot be used as a name here: expected ${shape.keys.words}.`;
  report.error({ code: "WRONG_NAME", message, offset: member.keyOffset, path });
  return false;
}

function readObject(shape: ObjectShape, reading: Reading, members: readonly JsonMember[]): unknown {
  checkUnknownKeys(shape, reading, members);
  const missing = (shape.required ?? []).filter((key) => !findByKey(members, key));
  for (const key of missing) wrong(reading, "MISSING_KEY", `The key "${key}" is missing.`);
  const entries = Object.entries(shape.fields).map(([key, field]) => {
    const member = findByKey(members, key);
    const path = [...reading.path, key];
    const value = member && readAny(field, { node: member.value, path, report: reading.report });
    return [key, value] as const;
  });
  return toRecord(entries);
}

function findByKey(members: readonly JsonMember[], key: string): JsonMember | undefined {
  return members.findLast((member) => member.key === key);
}

/** Reports the keys that an object of this shape does not know. */
function checkUnknownKeys(
  shape: ObjectShape,
  { path, report }: Reading,
  members: readonly JsonMember[],
): void {
  if (shape.unknown === "ignore") return;
  const known = Object.keys(shape.fields);
  const severity = shape.unknown === "keep" ? "warning" : "error";
  for (const { key, keyOffset } of members) {
    if (Object.hasOwn(shape.fields, key)) continue;
    // What would not be told is not looked up either: a file of unknown keys would take long.
    if (report.isFull(severity)) return;
    const hint =
      shape.hints !== undefined && Object.hasOwn(shape.hints, key) ? shape.hints[key] : undefined;
    const finding = {
      code: "UNKNOWN_KEY",
      message: hint ?? toUnknownKeyText(key, known, shape.unknown === "keep"),
      offset: keyOffset,
      path: [...path, key],
    };
    // Once for each key of a file: twenty servers with a foreign key are one thing to know.
    if (shape.unknown === "keep") report.warning(finding, `UNKNOWN_KEY ${key}`);
    else report.error(finding);
  }
}

function toUnknownKeyText(key: string, known: readonly string[], kept: boolean): string {
  const nearest = findNearest(key, known);
  const meant =
    nearest === undefined ? `Known here: ${known.join(", ")}.` : `Did you mean "${nearest}"?`;
  return kept
    ? `${toQuotedKey(key)} is not a key of Postern: it is kept and has no effect.${nearest === undefined ? "" : ` ${meant}`}`
    : `${toQuotedKey(key)} is not a known key. ${meant}`;
}
