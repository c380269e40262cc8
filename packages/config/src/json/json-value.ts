/** A value of a JSON document. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** An object of a JSON document: frozen, and without a prototype where this package made it. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** The way from a document's root to a value: keys and zero-based indexes. */
export type JsonPath = readonly (string | number)[];
