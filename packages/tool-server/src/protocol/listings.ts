import {
  checkpathsMetaKey,
  isJsonObject,
  tagsMetaKey,
  withoutReservedMeta,
  type JsonObject,
  type Listing,
  type ListingKind,
} from "@postern/tool";

/** What is derived from one listing array, once. */
export interface Catalogue {
  /** Tools by the name they are called by. */
  readonly tools: ReadonlyMap<string, Listing>;
  /** What goes on the wire, by kind, in the set's order. */
  readonly wire: Readonly<Record<ListingKind, readonly JsonObject[]>>;
}

const kept = new WeakMap<readonly Listing[], Catalogue>();

/**
 * Reads an array of listings into what serving it needs. A set gives the same array until something changes, so the
 * work is done once, and equal lists have equal bytes.
 *
 * @param listings - What a set listed.
 * @returns Its catalogue, kept for as long as the array lives.
 */
export function readCatalogue(listings: readonly Listing[]): Catalogue {
  const known = kept.get(listings);
  if (known !== undefined) return known;
  const tools = new Map<string, Listing>();
  const wire: Record<ListingKind, JsonObject[]> = {
    tool: [],
    prompt: [],
    resource: [],
    template: [],
  };
  for (const listing of listings) {
    if (listing.kind === "tool") {
      // A name that is listed twice is called as its first owner: the second could never be reached.
      if (tools.has(listing.name)) continue;
      tools.set(listing.name, listing);
    }
    wire[listing.kind].push(toWire(listing));
  }
  const catalogue: Catalogue = Object.freeze({ tools, wire: Object.freeze(wire) });
  kept.set(listings, catalogue);
  return catalogue;
}

/** By which member each kind of listing is known. */
const nameMembers: Readonly<Record<ListingKind, string>> = {
  tool: "name",
  prompt: "name",
  resource: "uri",
  template: "uriTemplate",
};

/** The server's own object under its exposed name. What only Postern may say in `_meta` is said by us alone. */
function toWire(listing: Listing): JsonObject {
  const { kind, name, raw, tags, checkpaths } = listing;
  const meta = isJsonObject(raw["_meta"]) ? withoutReservedMeta(raw["_meta"]) : {};
  const ours = {
    ...(tags.length > 0 ? { [tagsMetaKey]: tags } : {}),
    ...(checkpaths.length > 0 ? { [checkpathsMetaKey]: checkpaths } : {}),
  };
  const { _meta: _, ...rest } = raw;
  const whole = { ...meta, ...ours };
  return Object.freeze({
    ...rest,
    [nameMembers[kind]]: name,
    // A client refuses the whole list for one tool without an object schema.
    ...(kind === "tool" && !isJsonObject(raw["inputSchema"])
      ? { inputSchema: { type: "object" } }
      : {}),
    ...(Object.keys(whole).length > 0 ? { _meta: whole } : {}),
  });
}
