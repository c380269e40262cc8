import { toolErrors } from "./errors.js";
import type { JsonValue } from "./json.js";

/** Deeper than any honest document, and far from the end of the stack. */
const maxDepth = 512;

/**
 * Writes JSON in one way only, so that equal values have equal text: keys in UTF-16 order, no white space,
 * members that are `undefined` left out. `1.0` and `1` are one number in JSON; `1`, `"1"` and `true` are not. Where the
 * RFC gives up, at half of a surrogate pair, its `\u` escape is written: no text that a peer sends makes this throw.
 *
 * @param value - The value to write.
 * @returns The canonical text.
 * @throws {PosternError} `NOT_JSON` for a number that JSON cannot hold, a foreign type, or nesting over 512.
 * @see RFC 8785 (JSON Canonicalization Scheme)
 */
export function canonicalJson(value: JsonValue | undefined): string {
  return write(value, 0);
}

/** Whether it is what JSON makes. Not by one realm's `Object.prototype`: its prototype is none, or has none itself. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function write(value: JsonValue | undefined, depth: number): string {
  if (depth > maxDepth) throw toolErrors.NOT_JSON({ found: "nesting over 512 levels" });
  if (value === null || typeof value === "boolean" || typeof value === "string")
    return JSON.stringify(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw toolErrors.NOT_JSON({ found: String(value) });
    return JSON.stringify(value);
  }
  if (typeof value !== "object") throw toolErrors.NOT_JSON({ found: typeof value });
  if (Array.isArray(value))
    return `[${Array.from(value as readonly JsonValue[], (item) => write(item, depth + 1)).join(",")}]`;
  if (!isPlain(value)) throw toolErrors.NOT_JSON({ found: "an object that is not plain" });
  const object = value as { readonly [key: string]: JsonValue | undefined };
  const members = Object.keys(object)
    .filter((key) => object[key] !== undefined)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${write(object[key], depth + 1)}`);
  return `{${members.join(",")}}`;
}
