import { isJsonObject, type JsonObject } from "@postern/tool";
import { poolErrors } from "../errors.js";
import { timedOut, type Wire } from "../connection/wire.js";
import type { ListedKind } from "./listed-kinds.js";

/** A server's whole list, as it wrote it. */
export interface RawList {
  readonly items: readonly unknown[];
  /** Why the list may lack its end. */
  readonly problem?: string;
}

/** How a list is read. */
export interface ListRequest {
  readonly server: string;
  readonly listed: ListedKind;
  /** For all pages together. */
  readonly timeoutMs: number;
}

/** More than any honest server lists; a server that invents pages for ever stops here. */
const maxItems = 100_000;

/** All pages together, in characters; one page is bounded by the longest message. */
const maxListChars = 32 * 1_024 * 1_024;

const methodNotFound = -32_601;

/**
 * Reads all pages of a list.
 *
 * @throws {PosternError} `CATALOG_TIMEOUT`, `CATALOG_FAILED`, or what the connection rejects with.
 */
export async function readList(wire: Wire, request: ListRequest): Promise<RawList> {
  const { timeoutMs } = request;
  const end = performance.now() + timeoutMs;
  const seen = new Set<string>();
  const items: unknown[] = [];
  let cursor: string | undefined;
  let chars = 0;
  for (;;) {
    const page = await readPage(wire, request, { cursor, leftMs: end - performance.now() });
    if (page === undefined) return { items };
    for (const item of page.items) items.push(item);
    cursor = page.next;
    if (cursor === undefined) return { items };
    if (seen.has(cursor))
      return { items, problem: "its list repeats a cursor, so what follows was not read" };
    if (items.length >= maxItems) return { items, problem: `it lists more than ${maxItems}` };
    chars += cursor.length + countChars(page.items);
    if (chars > maxListChars)
      return { items, problem: `its list is longer than ${maxListChars} characters` };
    seen.add(cursor);
  }
}

/** How much a page holds; what cannot be written again, for its nesting, counts as too much. */
function countChars(page: readonly unknown[]): number {
  try {
    return JSON.stringify(page).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

interface PageRequest {
  readonly cursor: string | undefined;
  readonly leftMs: number;
}

/** One page, or undefined when the server advertises what it does not have. */
async function readPage(
  wire: Wire,
  { server, listed, timeoutMs }: ListRequest,
  { cursor, leftMs }: PageRequest,
): Promise<{ items: readonly unknown[]; next: string | undefined } | undefined> {
  const params: JsonObject = cursor === undefined ? {} : { cursor };
  // 0 would be no limit.
  const reply = await wire.request({
    method: listed.method,
    params,
    timeoutMs: Math.max(1, leftMs),
  });
  if (reply === timedOut) throw poolErrors.CATALOG_TIMEOUT({ server, timeoutMs });
  if (isJsonObject(reply.error)) {
    const { code } = reply.error;
    if (code === methodNotFound) return undefined;
    const number = typeof code === "number" ? code : 0;
    throw poolErrors.CATALOG_FAILED({
      server,
      reason: `it answered ${listed.method} with the error ${number}`,
    });
  }
  const items = isJsonObject(reply.result) ? reply.result[listed.member] : undefined;
  if (!isJsonObject(reply.result) || !Array.isArray(items))
    throw poolErrors.CATALOG_FAILED({
      server,
      reason: `its answer to ${listed.method} holds no list`,
    });
  const next = reply.result["nextCursor"];
  return { items, next: typeof next === "string" ? next : undefined };
}
