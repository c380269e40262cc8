import type { JsonObject } from "./json.js";

/** What a listing is of: the four things an MCP server lists. */
export type ListingKind = "tool" | "prompt" | "resource" | "template";

/**
 * Hints about a tool's effects, as its server tells them. They are the server's word, not a fact.
 *
 * @see MCP 2026-07-28, Tools, ToolAnnotations
 */
export interface ToolAnnotations {
  /** A title for people. */
  readonly title?: string;
  /** The tool changes nothing. */
  readonly readOnlyHint?: boolean;
  /** The tool may destroy something. */
  readonly destructiveHint?: boolean;
  /** Calling again with the same arguments changes nothing more. */
  readonly idempotentHint?: boolean;
  /** The tool reaches out to an open world, such as the web. */
  readonly openWorldHint?: boolean;
}

/** One thing that a server lists: a tool, a prompt, a resource or a resource template. Immutable. */
export interface Listing {
  /** Which of the four. */
  readonly kind: ListingKind;
  /** The name that the owner gave the server; empty for tools of this process. */
  readonly server: string;
  /** The name it is exposed and called by; for a resource its URI, for a template its URI template. */
  readonly name: string;
  /** The name as its own server knows it. */
  readonly originalName: string;
  /** Tags for exposure filters, read from the listing's `_meta` only. Empty when it has none. */
  readonly tags: readonly string[];
  /** Names of the arguments that hold file paths, read from the listing's `_meta` only. */
  readonly checkpaths: readonly string[];
  /** Effect hints of a tool; absent when the server says nothing. */
  readonly annotations?: ToolAnnotations;
  /** The server's own object, untouched. */
  readonly raw: JsonObject;
}
