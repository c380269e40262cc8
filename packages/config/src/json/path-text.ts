import { toQuotedKey } from "../masking/plain-text.js";
import type { JsonPath } from "./json-value.js";

const plainKey = /^[A-Za-z0-9_-]{1,60}$/;

/**
 * Writes a path as text: `domains.physics.mcp_servers["odd key"].args[0]`.
 *
 * @param path - Keys and indexes.
 * @returns Safe to print; empty for the root.
 */
export function toPathText(path: JsonPath): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (plainKey.test(step)) text += text === "" ? step : `.${step}`;
    else text += `[${toQuotedKey(step)}]`;
  }
  return text;
}
