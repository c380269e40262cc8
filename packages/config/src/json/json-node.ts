import type { JsonObject, JsonPath, JsonValue } from "./json-value.js";

/** One member of an object, in the order written. */
export interface JsonMember {
  readonly key: string;
  /** Where the key begins, in UTF-16 units from the start of the text. */
  readonly keyOffset: number;
  readonly value: JsonNode;
}

/** From where to where a value reaches in the text: `[offset, end)`. */
export interface JsonSpan {
  readonly offset: number;
  readonly end: number;
}

/** A value of a document. */
export type JsonNode =
  | JsonObjectNode
  | JsonArrayNode
  | (JsonSpan & { readonly kind: "string"; readonly value: string })
  | (JsonSpan & { readonly kind: "number"; readonly value: number })
  | (JsonSpan & { readonly kind: "boolean"; readonly value: boolean })
  | (JsonSpan & { readonly kind: "null"; readonly value: null });

/** An object, its members in the order written. */
export interface JsonObjectNode extends JsonSpan {
  readonly kind: "object";
  readonly members: readonly JsonMember[];
  /** Offsets of the commas, the first after the first member. One after the last member is a spare one. */
  readonly commas: readonly number[];
}

/** An array. */
export interface JsonArrayNode extends JsonSpan {
  readonly kind: "array";
  readonly items: readonly JsonNode[];
  /** As those of an object. */
  readonly commas: readonly number[];
}

/**
 * Turns a node into a frozen value.
 *
 * @param node - A node of a document.
 * @returns Objects have no prototype, so that a key `__proto__` is only a key.
 */
export function toJsonValue(node: JsonNode): JsonValue {
  if (node.kind === "array") return Object.freeze(node.items.map(toJsonValue));
  if (node.kind !== "object") return node.value;
  return toRecord(node.members.map(({ key, value }) => [key, toJsonValue(value)] as const));
}

/** A frozen record without a prototype. */
export function toRecord<T>(entries: Iterable<readonly [string, T]>): Readonly<Record<string, T>> {
  const record = Object.create(null) as Record<string, T>;
  for (const [key, value] of entries) record[key] = value;
  return Object.freeze(record);
}

/** Finds a member of an object node; its last, should a key be there twice. */
export function findMember(node: JsonNode, key: string): JsonMember | undefined {
  return node.kind === "object" ? node.members.findLast((member) => member.key === key) : undefined;
}

/** Finds the node at a path. */
export function findNode(root: JsonNode, path: JsonPath): JsonNode | undefined {
  let node: JsonNode | undefined = root;
  for (const step of path) {
    if (node === undefined) return undefined;
    if (typeof step === "string") node = findMember(node, step)?.value;
    else node = node.kind === "array" ? node.items[step] : undefined;
  }
  return node;
}

/** Tells whether a value is a JSON object. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
