/** Any JSON value (RFC 8259). */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined };

/** A JSON object; a member that is `undefined` is left out on the wire. */
export type JsonObject = { readonly [key: string]: JsonValue | undefined };

/**
 * Tells whether a value is an object that JSON could have written: not null, not an array.
 *
 * @param value - Anything, typically parsed JSON.
 * @returns True for a plain object.
 */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
