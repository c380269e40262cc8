import { isJsonObject, type JsonObject, type JsonValue } from "@postern/tool";

/** An argument that a modern server wants to see in a header as well. */
export interface ParamHeader {
  readonly header: string;
  readonly path: readonly string[];
}

const tokenPattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const primitives = new Set<unknown>(["string", "integer", "boolean"]);
/** Deeper schemas declare no headers that anyone could send. */
const maxDepth = 32;

/**
 * Finds the arguments of a tool that are mirrored into headers.
 *
 * @param inputSchema - The tool's input schema.
 * @returns The headers, or `invalid` when a declaration breaks the rules; such a tool is left out.
 * @see MCP 2026-07-28, Streamable HTTP, custom headers from tool parameters
 */
export function readParamHeaders(inputSchema: unknown): readonly ParamHeader[] | "invalid" {
  const found: ParamHeader[] = [];
  const seen = new Set<string>();
  const visit = (schema: unknown, path: readonly string[]): boolean => {
    if (!isJsonObject(schema) || path.length > maxDepth) return true;
    const name = schema["x-mcp-header"];
    if (name !== undefined) {
      if (typeof name !== "string" || !tokenPattern.test(name) || path.length === 0) return false;
      if (!primitives.has(schema["type"]) || seen.has(name.toLowerCase())) return false;
      seen.add(name.toLowerCase());
      found.push({ header: `Mcp-Param-${name}`, path });
    }
    const { properties } = schema;
    if (!isJsonObject(properties)) return true;
    return Object.entries(properties).every(([key, child]) => visit(child, [...path, key]));
  };
  return visit(inputSchema, []) ? found : "invalid";
}

/** Builds the headers of one call; undefined when it has none. */
export function toParamHeaders(
  declared: readonly ParamHeader[],
  args: JsonObject,
): Readonly<Record<string, string>> | undefined {
  if (declared.length === 0) return undefined;
  const headers: Record<string, string> = {};
  for (const { header, path } of declared) {
    const text = toText(findValue(args, path));
    if (text !== undefined) headers[header] = encode(text);
  }
  return headers;
}

function findValue(args: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = args;
  for (const key of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

function toText(value: JsonValue | undefined): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
}

/** Anything but visible ASCII goes as base64: a line break in a value would otherwise end the header. */
function encode(text: string): string {
  const plain = /^[\u0021-\u007e]([\t\u0020-\u007e]*[\u0021-\u007e])?$/.test(text);
  if (plain && !(text.startsWith("=?base64?") && text.endsWith("?="))) return text;
  const bytes = new TextEncoder().encode(text);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return `=?base64?${btoa(binary)}?=`;
}
