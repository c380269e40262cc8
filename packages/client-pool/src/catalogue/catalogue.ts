import {
  isJsonObject,
  readCheckpaths,
  readTags,
  type JsonObject,
  type Listing,
  type ToolAnnotations,
} from "@postern/tool";
import { toShown } from "../connection/to-shown.js";
import { readParamHeaders } from "../connection/param-headers.js";
import { toExposedName } from "../naming/exposed-name.js";
import type { ListingProblem } from "../server-state.js";
import type { ListedKind } from "./listed-kinds.js";
import { mendItem } from "./mend-item.js";
import type { RawList } from "./read-list.js";

/** What a server lists of one kind, ready to be listed by us. */
export interface Catalogue {
  readonly listings: readonly Listing[];
  readonly dropped: readonly ListingProblem[];
  readonly repaired: readonly ListingProblem[];
  /** The text of each listing's item, by which the next reading knows it again. */
  readonly texts: ReadonlyMap<string, KnownListing>;
}

/** A listing, and the JSON it was made of. */
export interface KnownListing {
  readonly text: string;
  readonly listing: Listing;
}

/** Whose list it is. */
export interface CatalogueOwner {
  readonly server: string;
  readonly prefix: string;
  readonly bundled: boolean;
  /** The server reads arguments from headers, so what it declares of them has to be right. */
  readonly headers: boolean;
}

/** A catalogue without anything in it. */
export const emptyCatalogue: Catalogue = Object.freeze({
  listings: Object.freeze([]),
  dropped: Object.freeze([]),
  repaired: Object.freeze([]),
  texts: new Map(),
});

/**
 * Builds the catalogue of a list. Items that did not change since the last reading keep their listing, so that what
 * was checked for a call is still what is called.
 *
 * @param raw - The list as the server wrote it.
 * @param owner - Whose it is.
 * @param reading - The kind of list, and the last catalogue of it.
 * @returns The catalogue; the last one itself when nothing changed.
 */
export function createCatalogue(
  raw: RawList,
  owner: CatalogueOwner,
  reading: { readonly listed: ListedKind; readonly last: Catalogue },
): Catalogue {
  const { listed, last } = reading;
  const { kind } = listed;
  const known = new Map<string, KnownListing>();
  const dropped: ListingProblem[] = [];
  const repaired: ListingProblem[] = [];
  for (const item of raw.items) {
    const name = toShownName(item, listed);
    const mended = mendItem(item, listed);
    const problem = mended.ok ? checkItem(mended.item, owner, listed) : mended.problem;
    if (!mended.ok || problem !== undefined) {
      dropped.push({ kind, name, problem: problem ?? "it is broken" });
      continue;
    }
    const text = toText(mended.item);
    const { id } = mended;
    if (text === undefined) dropped.push({ kind, name, problem: "it is nested too deeply" });
    else if (known.has(id)) dropped.push({ kind, name, problem: "its name was listed before" });
    else {
      const before = last.texts.get(id);
      const listing = before?.text === text ? before.listing : toListing(mended, owner, listed);
      known.set(id, { text, listing });
      for (const repair of mended.repairs) repaired.push({ kind, name, problem: repair });
    }
  }
  if (raw.problem !== undefined) dropped.push({ kind, name: "", problem: raw.problem });
  const listings = [...known.values()].map(({ listing }) => listing);
  if (isSame(listings, last.listings) && dropped.length === last.dropped.length) return last;
  return Object.freeze({
    listings: Object.freeze(listings),
    dropped: Object.freeze(dropped),
    repaired: Object.freeze(repaired),
    texts: known,
  });
}

function isSame(one: readonly Listing[], other: readonly Listing[]): boolean {
  return one.length === other.length && one.every((listing, at) => listing === other[at]);
}

function checkItem(
  item: JsonObject,
  owner: CatalogueOwner,
  listed: ListedKind,
): string | undefined {
  if (listed.kind !== "tool" || !owner.headers) return undefined;
  return readParamHeaders(item["inputSchema"]) === "invalid"
    ? "its inputSchema declares an x-mcp-header that breaks the rules"
    : undefined;
}

function toListing(
  { item, id: originalName }: { readonly item: JsonObject; readonly id: string },
  owner: CatalogueOwner,
  listed: ListedKind,
): Listing {
  const named = listed.id === "name";
  const annotations = listed.kind === "tool" ? toAnnotations(item["annotations"]) : undefined;
  const tags = readTags(item["_meta"]);
  return Object.freeze({
    kind: listed.kind,
    server: owner.server,
    name: named ? toExposedName(owner.prefix, originalName) : originalName,
    originalName,
    // Anyone can write this tag; it says where a tool is from, so only our own server may.
    tags: owner.bundled ? tags : Object.freeze(tags.filter((tag) => tag !== "bundled")),
    checkpaths: readCheckpaths(item["_meta"]),
    ...(annotations === undefined ? {} : { annotations }),
    raw: freeze(item),
  });
}

const hintNames = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

function toAnnotations(raw: unknown): ToolAnnotations | undefined {
  if (!isJsonObject(raw)) return undefined;
  const kept: { -readonly [Key in keyof ToolAnnotations]: ToolAnnotations[Key] } = {};
  if (typeof raw["title"] === "string") kept.title = raw["title"];
  for (const hint of hintNames) {
    const value = raw[hint];
    if (typeof value === "boolean") kept[hint] = value;
  }
  return Object.keys(kept).length === 0 ? undefined : Object.freeze(kept);
}

/** Undefined for what cannot be written again: nesting beyond the stack. */
function toText(item: JsonObject): string | undefined {
  try {
    return JSON.stringify(item);
  } catch {
    return undefined;
  }
}

function toShownName(item: unknown, { id }: ListedKind): string {
  const name = isJsonObject(item) ? item[id] : undefined;
  return typeof name === "string" ? toShown(name) : "";
}

/** Freezes an item through and through, without a call for each level. */
function freeze(item: JsonObject): JsonObject {
  const waiting: unknown[] = [item];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== "object" || value === null || Object.isFrozen(value)) continue;
    Object.freeze(value);
    for (const member of Object.values(value)) waiting.push(member);
  }
  return item;
}
