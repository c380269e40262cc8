import type { OutputUnit } from "@cfworker/json-schema";
import { isJsonObject, type JsonObject } from "@postern/tool";
import { findNearest } from "./find-nearest.js";

/** A model needs the first few, not a wall. */
const maxProblems = 8;
const maxTextLength = 200;

/** Keywords whose error only says that something inside them is wrong. */
const containers = new Set([
  "properties",
  "items",
  "prefixItems",
  "additionalItems",
  "$ref",
  "$recursiveRef",
  "allOf",
  "if",
  "patternProperties",
  "dependentSchemas",
  "unevaluatedItems",
]);

/**
 * Puts what a validator found into words a model can act on: which argument, and what was expected.
 *
 * @param errors - The validator's findings.
 * @param schema - The tool's input schema.
 * @returns At most 8 sentences, each at most about 300 characters.
 */
export function describeProblems(
  errors: readonly OutputUnit[],
  schema: JsonObject,
): readonly string[] {
  const problems = new Set<string>();
  for (const [index, error] of errors.entries()) {
    if (problems.size >= maxProblems) break;
    if (containers.has(error.keyword) || error.keyword === "false") continue;
    const next = errors[index + 1];
    problems.add(describeOne(error, { next, schema }));
  }
  return problems.size > 0 ? [...problems] : ["they do not fit"];
}

interface Surroundings {
  readonly next: OutputUnit | undefined;
  readonly schema: JsonObject;
}

function describeOne(error: OutputUnit, { next, schema }: Surroundings): string {
  const path = toPath(error.instanceLocation);
  const owner = findNode(schema, error.keywordLocation);
  switch (error.keyword) {
    case "required":
      return `${at(path)}${quote(/"(.*)"/s.exec(error.error)?.[1] ?? "an argument")} is missing`;
    case "type":
      return `${at(path)}expected ${find(error, /Expected "(.*)"\.$/s).replaceAll('", "', " or ")}, got ${find(error, /"(\w+)"/)}`;
    case "enum":
      return `${at(path)}must be one of ${find(error, /any of \[(.*)\]\.$/s)}`;
    case "const":
      return `${at(path)}must be ${find(error, /match (.*)\.$/s)}`;
    case "additionalProperties":
    case "unevaluatedProperties":
      return next?.keyword === "false"
        ? describeUnknown(toPath(next.instanceLocation), owner)
        : `${at(path)}${shorten(error.error)}`;
    case "anyOf":
    case "oneOf":
      return `${at(path)}fits none, or more than one, of the allowed forms`;
    default:
      return `${at(path)}${shorten(error.error)}`.replace(/\.$/, "");
  }
}

function describeUnknown(path: readonly string[], owner: JsonObject | undefined): string {
  const name = path.at(-1) ?? "";
  const properties = owner?.["properties"];
  const known = isJsonObject(properties) ? Object.keys(properties) : [];
  const nearest = findNearest(name, known);
  const hint =
    nearest === undefined
      ? known.length > 0
        ? `; known are ${shorten(known.map(quote).join(", "))}`
        : ""
      : `; did you mean ${quote(nearest)}?`;
  return `${at(path.slice(0, -1))}${quote(name)} is not a known argument${hint}`;
}

/** A part of the validator's own text, which knows the schema also behind references. */
function find(error: OutputUnit, pattern: RegExp): string {
  return shorten(pattern.exec(error.error)?.[1] ?? "something else");
}

function at(path: readonly string[]): string {
  return path.length === 0 ? "" : `${shorten(path.map(plain).join("."))}: `;
}

/** A name of letters, digits, `_` or `-` as it is; any other in quotes, control characters escaped. */
function plain(name: string): string {
  return /^[\w-]{1,64}$/.test(name) ? name : quote(name);
}

function quote(name: string): string {
  return JSON.stringify(name.length > 64 ? `${name.slice(0, 63)}…` : name);
}

function shorten(text: string): string {
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength - 1)}…` : text;
}

function toPath(pointer: string): readonly string[] {
  return pointer.split("/").slice(1).map(decode);
}

function decode(part: string): string {
  let text = part;
  try {
    text = decodeURI(part);
  } catch {
    // A lone surrogate: shown as it came.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** The schema node that a keyword location lies in; undefined behind a reference. */
function findNode(schema: JsonObject, location: string): JsonObject | undefined {
  let node: unknown = schema;
  for (const part of toPath(location).slice(0, -1)) {
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, part)) return undefined;
    node = (node as Readonly<Record<string, unknown>>)[part];
  }
  return isJsonObject(node) ? node : undefined;
}
