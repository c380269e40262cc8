import { isJsonObject, type JsonObject } from "@postern/tool";

/** The object in a field of what a server sent; an empty one when there is none. */
export function readObject(value: unknown, key: string): JsonObject {
  const field = isJsonObject(value) ? value[key] : undefined;
  return isJsonObject(field) ? field : {};
}

/** The list in a field of what a server sent; undefined when there is none. */
export function findList(value: unknown, key: string): readonly unknown[] | undefined {
  const field = isJsonObject(value) ? value[key] : undefined;
  return Array.isArray(field) ? (field as readonly unknown[]) : undefined;
}

/** The first field that holds text that is not blank, trimmed; empty when none does. */
export function readText(value: unknown, ...keys: readonly string[]): string {
  if (!isJsonObject(value)) return "";
  for (const key of keys) {
    const field = value[key];
    if (typeof field === "string" && field.trim() !== "") return field.trim();
  }
  return "";
}

/** Parses JSON that a stranger wrote; undefined when it is none. */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
