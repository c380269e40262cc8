import { toQuotedKey } from "../masking/plain-text.js";
import { createReport, type Report } from "../report.js";
import type { JsonMember, JsonNode } from "./json-node.js";
import { createJsonTokens, type JsonToken } from "./json-tokens.js";
import type { JsonPath } from "./json-value.js";

/** No configuration of ours is near it; a recursion without an end would end the process. */
const maxDepth = 64;

/** One mebi-character. A configuration is written by hand. */
export const maxTextLength = 1_048_576;

/** How strict to read. */
export interface JsonOptions {
  /** Whether comments and commas before a closing bracket are allowed, as editors write them; default false. */
  readonly comments?: boolean;
}

/** A read text: its tree unless the text is no JSON, and the report with the problems so far. */
export interface ReadText {
  readonly root: JsonNode | undefined;
  readonly report: Report;
}

/** Reads a JSON text. Keys written twice are reported and the reading goes on; at a syntax fault it stops. */
export function readText(text: string, file: string, options: JsonOptions = {}): ReadText {
  const report = createReport(text, file);
  const comments = options.comments ?? false;
  if (text.length > maxTextLength) {
    const message = `The file is longer than ${maxTextLength} characters. A configuration is far smaller: take out what does not belong.`;
    report.error({ code: "TOO_LARGE", message, offset: 0, path: [] });
    return { root: undefined, report };
  }
  const next = createJsonTokens(report.source.text, comments);
  const root = readDocument({ token: next(), next, report, comments });
  return { root, report };
}

/** Where the reading is. `path` is the value that is being read. */
interface Reader {
  token: JsonToken;
  readonly next: () => JsonToken;
  readonly report: Report;
  readonly comments: boolean;
}

function readDocument(reader: Reader): JsonNode | undefined {
  const first = reader.token;
  if (first.kind === "end")
    return stop(reader, [], {
      code: "SYNTAX",
      message: "The file is empty. Write {} or delete it.",
    });
  const root = readValue(reader, []);
  if (root !== undefined && reader.token.kind !== "end")
    return expected(reader, [], "the end of the file");
  return root;
}

function readValue(reader: Reader, path: JsonPath): JsonNode | undefined {
  const { token } = reader;
  if (path.length > maxDepth) {
    const message = `Objects and arrays may be nested ${maxDepth} deep, not deeper.`;
    return stop(reader, path, { code: "TOO_DEEP", message });
  }
  if (token.kind === "{") return readObject(reader, path);
  if (token.kind === "[") return readArray(reader, path);
  if (!isScalar(token)) return expected(reader, path, "a value");
  advance(reader);
  return token;
}

function readArray(reader: Reader, path: JsonPath): JsonNode | undefined {
  const { offset } = reader.token;
  const items: JsonNode[] = [];
  const list = readList(reader, path, () => {
    const item = readValue(reader, [...path, items.length]);
    if (item !== undefined) items.push(item);
    return item !== undefined;
  });
  return list === undefined ? undefined : { kind: "array", offset, items, ...list };
}

function readObject(reader: Reader, path: JsonPath): JsonNode | undefined {
  const { offset } = reader.token;
  const members: JsonMember[] = [];
  const seen = new Map<string, number>();
  const list = readList(reader, path, () => {
    const member = readMember(reader, path);
    if (member === undefined) return false;
    noteRepeat({ report: reader.report, seen, path }, member);
    members.push(member);
    return true;
  });
  return list === undefined ? undefined : { kind: "object", offset, members, ...list };
}

function readMember(reader: Reader, path: JsonPath): JsonMember | undefined {
  const { token } = reader;
  if (token.kind !== "string") return expected(reader, path, "a key in double quotes");
  const { value: key, offset: keyOffset } = token;
  if (advance(reader).kind !== ":") return expected(reader, [...path, key], "a colon");
  advance(reader);
  const value = readValue(reader, [...path, key]);
  return value === undefined ? undefined : { key, keyOffset, value };
}

/** Reads what stands between brackets, one `item` after the other. Gives undefined where the text is at fault. */
function readList(
  reader: Reader,
  path: JsonPath,
  item: () => boolean,
): { readonly commas: readonly number[]; readonly end: number } | undefined {
  const closing = reader.token.kind === "[" ? "]" : "}";
  const commas: number[] = [];
  let token = advance(reader);
  while (token.kind !== closing) {
    if (!item()) return undefined;
    ({ token } = reader);
    if (token.kind === closing) break;
    if (token.kind !== ",") return expected(reader, path, `a comma or ${closing}`);
    const { offset } = token;
    commas.push(offset);
    token = advance(reader);
    if (token.kind === closing && !reader.comments) {
      const message =
        "A comma stands before the closing bracket: this file is plain JSON. Take it out.";
      reader.report.error({ code: "SYNTAX", message, offset, path });
      return undefined;
    }
  }
  advance(reader);
  return { commas, end: token.end };
}

function advance(reader: Reader): JsonToken {
  reader.token = reader.next();
  return reader.token;
}

function stop(
  reader: Reader,
  path: JsonPath,
  problem: { readonly code: string; readonly message: string },
): undefined {
  reader.report.error({ ...problem, offset: reader.token.offset, path });
}

function expected(reader: Reader, path: JsonPath, what: string): undefined {
  const { token } = reader;
  if (token.kind === "bad") return stop(reader, path, { code: token.code, message: token.problem });
  const found = token.kind === "end" ? "the end of the file" : toTokenText(token);
  return stop(reader, path, { code: "SYNTAX", message: `Expected ${what}, found ${found}.` });
}

function isScalar(
  token: JsonToken,
): token is JsonToken & { kind: "string" | "number" | "boolean" | "null" } {
  return ["string", "number", "boolean", "null"].includes(token.kind);
}

function toTokenText(token: JsonToken): string {
  // Never the value: it could be a secret.
  if (isScalar(token)) return token.kind === "null" ? "null" : `a ${token.kind}`;
  return token.kind === "bad" ? "something else" : `"${token.kind}"`;
}

function noteRepeat(
  context: { report: Report; seen: Map<string, number>; path: JsonPath },
  { key, keyOffset }: JsonMember,
): void {
  const { report, seen, path } = context;
  const first = seen.get(key);
  if (first === undefined) {
    seen.set(key, keyOffset);
    return;
  }
  const { line, column } = report.source.positionAt(first);
  const again = report.source.positionAt(keyOffset);
  report.error({
    code: "DUPLICATE_KEY",
    message: `${toQuotedKey(key)} is written twice, at ${line}:${column} and at ${again.line}:${again.column}. Keep one of them.`,
    offset: keyOffset,
    path: [...path, key],
  });
}
