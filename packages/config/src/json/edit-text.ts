import { findNode, toJsonValue, type JsonNode, type JsonSpan } from "./json-node.js";
import { findLayout, toJsonText, type JsonLayout } from "./json-text.js";
import { readText } from "./parse-tree.js";
import type { JsonPath, JsonValue } from "./json-value.js";

/** One change of a document: a value set at a path, or taken out (undefined). */
export interface JsonEdit {
  /** The key, or the index in an array; the index after the last adds an item. */
  readonly path: JsonPath;
  readonly value: JsonValue | undefined;
}

/**
 * Changes a document and leaves every other character as it is: comments, blank lines, order and unknown keys.
 *
 * @param text - A document that {@link readText} reads without problems, comments allowed.
 * @param edits - Done one after the other. The object or array that a path leads into must be there.
 * @returns The changed text, with its byte order mark and its line ends.
 */
export function editText(text: string, edits: readonly JsonEdit[]): string {
  return edits.reduce(editOnce, text);
}

function editOnce(raw: string, { path, value }: JsonEdit): string {
  const { root, report } = readText(raw, "", { comments: true });
  const { text } = report.source;
  const mark = raw.slice(0, raw.length - text.length);
  const parent = root && findNode(root, path.slice(0, -1));
  const step = path.at(-1);
  if (parent === undefined || step === undefined) return raw;
  const list = toList(parent);
  const index = typeof step === "number" ? step : list.parts.findIndex(({ key }) => key === step);
  const part = list.parts[index];
  if (part === undefined)
    return mark + (value === undefined ? text : insert(text, list, { step, value }));
  return mark + (value === undefined ? remove(text, list, index) : replace(text, part, value));
}

/** An object or array, alike: its parts with the commas behind them. */
interface List extends JsonSpan {
  readonly parts: readonly (JsonSpan & { readonly key?: string; readonly value: JsonNode })[];
  readonly commas: readonly number[];
}

function toList(node: JsonNode): List {
  if (node.kind === "array")
    return {
      ...node,
      parts: node.items.map((value) => ({ offset: value.offset, end: value.end, value })),
    };
  if (node.kind !== "object") return { ...node, parts: [], commas: [] };
  const parts = node.members.map(({ key, keyOffset, value }) => ({
    key,
    offset: keyOffset,
    end: value.end,
    value,
  }));
  return { ...node, parts };
}

function replace(text: string, { value }: List["parts"][number], next: JsonValue): string {
  const written = toJsonText(next, indentAt(text, value.offset), findLayout(text));
  return text.slice(0, value.offset) + written + text.slice(value.end);
}

function insert(
  text: string,
  list: List,
  part: { step: string | number; value: JsonValue },
): string {
  const layout = findLayout(text);
  const last = list.parts.at(-1);
  const write = (indent: string): string => {
    const key = typeof part.step === "string" ? `${JSON.stringify(part.step)}: ` : "";
    return key + toJsonText(part.value, indent, layout);
  };
  if (last === undefined) return insertFirst(text, list, { write, layout });
  const comma = list.commas[list.parts.length - 1];
  const inLine = !/[\r\n]/.test(text.slice(list.offset, list.end));
  if (inLine) {
    const [end, sign] = comma === undefined ? [last.end, ", "] : [comma + 1, " "];
    return text.slice(0, end) + sign + write(indentAt(text, list.offset)) + text.slice(end);
  }
  const indent = indentOf(text, list, layout);
  // A comment behind the last part is about that part, and stays behind it.
  const lineEnd = toLineEnd(text, comma === undefined ? last.end : comma + 1, list.end - 1);
  const before =
    comma === undefined
      ? `${text.slice(0, last.end)},${text.slice(last.end, lineEnd)}`
      : text.slice(0, lineEnd);
  const added = `${layout.lineEnd}${indent}${write(indent)}${comma === undefined ? "" : ","}`;
  const after = text.slice(lineEnd);
  return (
    before.trimEnd() +
    added +
    (/^[ \t]*[\r\n]/.test(after)
      ? after
      : layout.lineEnd + indentAt(text, list.offset) + after.trimStart())
  );
}

function insertFirst(
  text: string,
  list: List,
  { write, layout }: { write: (indent: string) => string; layout: JsonLayout },
): string {
  const outer = indentAt(text, list.offset);
  const indent = outer + layout.step;
  // Comments of an empty list stay, above what is put in.
  const inside = text.slice(list.offset + 1, list.end - 1).trimEnd();
  return `${text.slice(0, list.offset + 1)}${inside}${layout.lineEnd}${indent}${write(indent)}${layout.lineEnd}${outer}${text.slice(list.end - 1)}`;
}

function remove(text: string, list: List, index: number): string {
  const part = list.parts[index];
  if (part === undefined) return text;
  const own = list.commas[index];
  // The last part's comma stands before it.
  const comma = own ?? list.commas[index - 1];
  const cuts: JsonSpan[] = [toWholeLine(text, part, own)];
  if (comma !== undefined && !cuts.some(({ offset, end }) => comma >= offset && comma < end))
    cuts.push({ offset: comma, end: comma + 1 });
  return cuts
    .toSorted((left, right) => right.offset - left.offset)
    .reduce((left, { offset, end }) => left.slice(0, offset) + left.slice(end), text);
}

/** A part with the comma and the blanks that go with it, and with its line where nothing else is on it. */
function toWholeLine(text: string, part: JsonSpan, comma: number | undefined): JsonSpan {
  let { offset, end } = part;
  if (comma !== undefined && text.slice(end, comma).trim() === "") end = comma + 1;
  const start = offset - indentBefore(text, offset);
  const [rest = "", lineEnd = ""] = /^[ \t]*(\r\n|\n|\r)?/.exec(text.slice(end)) ?? [];
  const alone = start === 0 || /[\r\n]/.test(text[start - 1] ?? "");
  if (alone && lineEnd !== "") return { offset: start, end: end + rest.length };
  if (comma === undefined && !alone) offset = start;
  else if (lineEnd === "") end += rest.length;
  return { offset, end };
}

function indentBefore(text: string, offset: number): number {
  let start = offset;
  while (/[ \t]/.test(text[start - 1] ?? "")) start -= 1;
  return offset - start;
}

/** The indentation of the line that an offset is on. */
function indentAt(text: string, offset: number): string {
  const start =
    Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

function indentOf(text: string, list: List, layout: JsonLayout): string {
  const own = indentAt(text, list.offset);
  const last = list.parts.at(-1);
  const its = last === undefined ? own : indentAt(text, last.offset);
  return its.length > own.length ? its : own + layout.step;
}

/** The end of the line, or of the comments on it; never past `limit`. */
function toLineEnd(text: string, from: number, limit: number): number {
  const comments = /^(?:[ \t]|\/\*[^]*?\*\/)*(?:\/\/[^\r\n]*)?/.exec(text.slice(from, limit));
  return from + (comments?.[0].length ?? 0);
}

/** Lists the edits that turn one value into another, as deep as both are objects. */
export function findEdits(from: JsonNode, to: JsonValue, path: JsonPath): readonly JsonEdit[] {
  if (from.kind !== "object" || typeof to !== "object" || to === null || Array.isArray(to))
    return isSame(toJsonValue(from), to) ? [] : [{ path, value: to }];
  const wanted = new Map(Object.entries(to));
  const removed = from.members
    .filter(({ key }) => !wanted.has(key))
    .map(({ key }): JsonEdit => ({ path: [...path, key], value: undefined }));
  const present = new Map(from.members.map(({ key, value }) => [key, value]));
  const set = [...wanted].flatMap(([key, value]): readonly JsonEdit[] => {
    const node = present.get(key);
    const at = [...path, key];
    return node === undefined ? [{ path: at, value }] : findEdits(node, value, at);
  });
  return [...removed, ...set];
}

function isSame(left: JsonValue, right: JsonValue): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
