import { isJsonObject, type ContentBlock, type JsonValue, type ToolResult } from "@postern/tool";
import { toVisibleLine } from "./visible-text.js";

/**
 * Writes a tool's result for a person or a pipe.
 *
 * @param result - What the tool answered.
 * @returns Its text blocks, one after the other; what is no text as a line in brackets; its data when it has no content.
 */
export function toResultText(result: ToolResult): string {
  const blocks = Array.isArray(result.content) ? result.content : [];
  if (blocks.length === 0 && result.structuredContent !== undefined)
    return JSON.stringify(result.structuredContent, undefined, 2);
  return blocks.map(toBlockText).join("\n");
}

/** A server may send anything in the place of a block. */
function toBlockText(block: ContentBlock | JsonValue): string {
  if (!isJsonObject(block)) return "[not a content block]";
  const type = toText(block["type"]);
  switch (type) {
    case "text":
      return toText(block["text"]);
    case "image":
    case "audio":
      return `[${type} ${toVisibleLine(toText(block["mimeType"]))}, ${toByteCount(block["data"])} bytes]`;
    case "resource_link":
      return `[resource link ${toVisibleLine(toText(block["uri"]))}]`;
    case "resource":
      return toResourceText(block["resource"]);
    default:
      return `[${toVisibleLine(type) || "not a content block"}]`;
  }
}

function toResourceText(resource: JsonValue | undefined): string {
  if (!isJsonObject(resource)) return "[resource]";
  const label = `resource ${toVisibleLine(toText(resource["uri"]))}`;
  if (typeof resource["text"] === "string") return `[${label}]\n${resource["text"]}`;
  return `[${label}, ${toByteCount(resource["blob"])} bytes]`;
}

function toText(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function toByteCount(base64: JsonValue | undefined): number {
  return Buffer.byteLength(toText(base64), "base64");
}
