import { isJsonObject, type JsonObject } from "@postern/tool";
import { webSearchErrors } from "./errors.js";

/**
 * Reads a list of objects out of an answer.
 *
 * @param data - The answer.
 * @param path - The names that lead to the list.
 * @returns The objects in it; other elements are left out.
 * @throws {PosternError} `PROVIDER_MALFORMED` when it is no object, or no list
 */
export function readItems(data: unknown, path: readonly string[]): readonly JsonObject[] {
  let value: unknown = data;
  for (const name of path) {
    if (!isJsonObject(value))
      throw webSearchErrors.PROVIDER_MALFORMED({ problem: `it has no ${path.join(".")}` });
    value = value[name];
  }
  if (!Array.isArray(value))
    throw webSearchErrors.PROVIDER_MALFORMED({ problem: `${path.join(".")} is not a list` });
  return value.filter((item) => isJsonObject(item));
}

/** The first of the fields that is a text with more than blanks; else undefined. */
export function findText(item: JsonObject, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = item[name];
    if (typeof value === "string" && value.trim() !== "") return value.trim();
  }
  return undefined;
}

/** A number as it is, and as some services write it, in quotes; else null. */
export function readNumber(value: unknown): number | null {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}
