import { isJsonObject, type JsonObject } from "./json.js";

/** Every `_meta` key of ours begins so. Such keys count only where Postern itself put them. */
export const reservedMetaPrefix = "dev.postern/";

/** The `_meta` key of a listing that carries its tags: an array of strings. */
export const tagsMetaKey = "dev.postern/tags";

/** The `_meta` key of a listing that names the arguments which hold paths: an array of strings. */
export const checkpathsMetaKey = "dev.postern/checkpaths";

/**
 * The `_meta` key of a call that carries what somebody allowed for this call alone: an array of real paths. The bundled
 * server believes it from the process that started it, over stdio, and nobody else.
 */
export const grantedMetaKey = "dev.postern/granted";

/**
 * Reads a listing's tags: ours, else those that FastMCP puts under `fastmcp` or `_fastmcp`.
 *
 * @param meta - The `_meta` member of a listing, as the server sent it.
 * @returns The tags without repeats, in the order given; empty when there are none or they are malformed.
 */
export function readTags(meta: unknown): readonly string[] {
  if (!isJsonObject(meta)) return [];
  const fastmcp = [meta["fastmcp"], meta["_fastmcp"]].filter(isJsonObject);
  for (const tags of [meta[tagsMetaKey], ...fastmcp.map((group) => group["tags"])])
    if (Array.isArray(tags)) return toStrings(tags);
  return [];
}

/**
 * Reads which arguments of a tool hold paths: ours, else the bare `checkpaths` that Klea's servers send.
 *
 * @param meta - The `_meta` member of a listing, as the server sent it.
 * @returns Argument names without repeats; empty when there are none.
 */
export function readCheckpaths(meta: unknown): readonly string[] {
  if (!isJsonObject(meta)) return [];
  for (const names of [meta[checkpathsMetaKey], meta["checkpaths"]])
    if (Array.isArray(names)) return toStrings(names);
  return [];
}

function toStrings(values: readonly unknown[]): readonly string[] {
  const strings = values.filter((value): value is string => typeof value === "string");
  return Object.freeze([...new Set(strings)]);
}

/**
 * Takes our reserved keys out of a `_meta` object, so that no caller and no server can speak in our name.
 *
 * @param meta - The `_meta` of a call, result or notification.
 * @returns The same object when it holds none of them, else a copy without them.
 */
export function withoutReservedMeta(meta: JsonObject): JsonObject {
  for (const key in meta)
    if (isReservedMetaKey(key))
      return Object.fromEntries(Object.entries(meta).filter(([name]) => !isReservedMetaKey(name)));
  return meta;
}

/**
 * Tells whether a `_meta` key is one of ours, in any letter case: a look-alike counts as one.
 *
 * @param key - The key.
 * @returns True for a reserved key.
 */
export function isReservedMetaKey(key: string): boolean {
  return (
    key.length >= reservedMetaPrefix.length && key.toLowerCase().startsWith(reservedMetaPrefix)
  );
}
