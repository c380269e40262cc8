import type { Listing } from "@postern/tool";

/**
 * A table keyed by what an owner writes to mean a tool: the exposed name (`server_tool`), or the server and the tool's
 * own name (`server/tool`; the first slash parts them).
 */
export interface KeyTable<Value> {
  /** The values whose keys mean this listing: none, one, or one for either spelling. */
  find(listing: Listing): readonly Value[];
}

const nothing: readonly never[] = Object.freeze([]);

/**
 * Parts a key at its first slash, so that a tool named `a/b` cannot pass for tool `b` of server `a`.
 *
 * @param key - The key.
 * @returns Its server and original name; undefined for an exposed name.
 */
export function parseToolKey(
  key: string,
): { readonly server: string; readonly originalName: string } | undefined {
  const slash = key.indexOf("/");
  if (slash < 0) return undefined;
  return { server: key.slice(0, slash), originalName: key.slice(slash + 1) };
}

/**
 * Indexes entries by their keys once, so that a decision is two look-ups and builds no text.
 *
 * @param entries - Keys with their values.
 * @returns The table.
 */
export function createKeyTable<Value>(
  entries: readonly (readonly [key: string, value: Value])[],
): KeyTable<Value> {
  const byName = new Map<string, readonly Value[]>();
  const byServer = new Map<string, Map<string, readonly Value[]>>();
  const byUri = new Map<string, readonly Value[]>();
  for (const [key, value] of entries) {
    const part = parseToolKey(key);
    if (part === undefined) byName.set(key, [value]);
    else {
      byUri.set(key, [value]);
      const names = byServer.get(part.server) ?? new Map<string, readonly Value[]>();
      byServer.set(part.server, names.set(part.originalName, [value]));
    }
  }
  return {
    find(listing) {
      const { kind, name } = listing;
      const exposed = byName.get(name) ?? (kind === "tool" ? undefined : byUri.get(name));
      const own = byServer.get(listing.server)?.get(listing.originalName);
      if (exposed === undefined) return own ?? nothing;
      return own === undefined ? exposed : [...exposed, ...own];
    },
  };
}
