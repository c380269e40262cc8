import type { JsonValue } from "./json-value.js";

/** How a document is laid out. */
export interface JsonLayout {
  /** One step of indentation. */
  readonly step: string;
  /** What ends a line. */
  readonly lineEnd: string;
}

/** Short lists of plain values, such as arguments, stay on one line. */
const maxLineCharacters = 80;

/**
 * Writes a value as JSON.
 *
 * @param value - The value.
 * @param indent - The indentation of the line that the value begins on.
 * @param layout - The document's.
 */
export function toJsonText(value: JsonValue, indent: string, layout: JsonLayout): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = indent + layout.step;
  const parts = Array.isArray(value)
    ? value.map((item: JsonValue) => toJsonText(item, inner, layout))
    : Object.entries(value).map(
        ([key, item]) => `${JSON.stringify(key)}: ${toJsonText(item, inner, layout)}`,
      );
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (parts.length === 0) return open + close;
  const line = open + parts.join(", ") + close;
  if (Array.isArray(value) && line.length <= maxLineCharacters && isFlat(value)) return line;
  const { lineEnd } = layout;
  return `${open}${lineEnd}${parts.map((part) => inner + part).join(`,${lineEnd}`)}${lineEnd}${indent}${close}`;
}

function isFlat(items: readonly JsonValue[]): boolean {
  return items.every((item) => typeof item !== "object" || item === null);
}

/** Reads a document's layout off its text: its first line end, and its first indentation. */
export function findLayout(text: string): JsonLayout {
  const lineEnd = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
  const step = /[\r\n]([ \t]+)["{[\]}]/.exec(text)?.[1] ?? "  ";
  return { step, lineEnd };
}
