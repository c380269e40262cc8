import type { Parsed } from "../problem.js";
import { findNode, toJsonValue } from "./json-node.js";
import type { JsonPath, JsonValue } from "./json-value.js";
import { readText, type JsonOptions } from "./parse-tree.js";

/** A JSON text, read. */
export interface JsonDocument {
  /** Deeply frozen; objects have no prototype, so `__proto__` is a key like any other. */
  readonly value: JsonValue;
  /**
   * Tells where a value begins.
   *
   * @returns One-based line and column in UTF-16 units, or undefined where there is nothing at that path.
   */
  positionOf(path: JsonPath): { readonly line: number; readonly column: number } | undefined;
}

/**
 * Reads JSON (RFC 8259) strictly: a key written twice in one object is refused, with both places.
 *
 * A byte order mark is skipped; a line may end with LF, CR LF or CR. At most 1,048,576 characters, nested 64 deep.
 *
 * @param text - The file's content.
 * @param file - Its name for the problems.
 * @param options - Whether comments are allowed.
 * @returns The document, or the problems; never throws. Codes: `SYNTAX`, `COMMENT`, `DUPLICATE_KEY`, `TOO_DEEP`, `TOO_LARGE`.
 */
export function parseJson(
  text: string,
  file: string,
  options: JsonOptions = {},
): Parsed<JsonDocument> {
  const { root, report } = readText(text, file, options);
  if (root === undefined || report.errors().length > 0)
    return Object.freeze({ ok: false, problems: report.errors() });
  const document: JsonDocument = {
    value: toJsonValue(root),
    positionOf: (path) => {
      const node = findNode(root, path);
      return node === undefined ? undefined : report.source.positionAt(node.offset);
    },
  };
  return Object.freeze({ ok: true, value: Object.freeze(document), warnings: [] });
}
