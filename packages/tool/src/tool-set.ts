import type { CallContext, Caller } from "./call-context.js";
import type { JsonObject } from "./json.js";
import type { Listing, ListingKind } from "./listing.js";
import type { ToolRule } from "./tool-rule.js";
import type { CallOutcome } from "./tool-result.js";

/** What a listing is asked for. */
export interface ListContext {
  /** Which kinds of things. Default: tools only. */
  readonly kinds?: readonly ListingKind[];
  /** For whom, where the set differs by caller. */
  readonly caller?: Caller;
  /** Aborts the wait. */
  readonly signal?: AbortSignal;
}

/** A request to call a tool by the name it is exposed by. */
export interface ToolCall {
  /** The exposed name. */
  readonly name: string;
  /** The arguments, as the caller wrote them. */
  readonly arguments: JsonObject;
  /** What travels with the call. */
  readonly context: CallContext;
  /**
   * The listing that was checked for this call, set by views on the way down. A set that finds another listing
   * under the name answers `UNKNOWN_TOOL`: what was checked is what is called.
   */
  readonly listing?: Listing;
}

/** Why a server's things are not in the list. */
export interface MissingServer {
  /** The owner's name for the server. */
  readonly server: string;
  /** What is wrong and what to do, for the owner. Holds no secret. */
  readonly reason: string;
  /** Since when, in milliseconds since 1970. */
  readonly since: number;
}

/** What changed. */
export interface ListChange {
  /** Which kinds of listings may differ now. */
  readonly kinds: readonly ListingKind[];
}

/**
 * Anything that has tools: a pool of servers, the bundled tools, a gateway, a remote agent, or a view of one of
 * these. The one interface of Postern: connect → restrict/intercept → serve.
 */
export interface ToolSet {
  /**
   * Lists what is there, in a fixed order. Resolves to the same array until something changes, so that what is
   * derived from it can be kept. A server that cannot be reached is left out, and named by `missing`.
   */
  list(context?: ListContext): Promise<readonly Listing[]>;
  /**
   * Calls a tool. Refusals and failures are results with `isError`; only a broken connection, a held server or a
   * missing sign-in rejects. Unknown and hidden names give the same `UNKNOWN_TOOL`.
   */
  call(call: ToolCall): Promise<CallOutcome>;
  /** A narrower view of this set: what the rule refuses is neither listed nor callable. It can never widen. */
  restrict(rule: ToolRule): ToolSet;
  /** Servers whose things are missing from the list now, and why. */
  missing(): readonly MissingServer[];
  /** Tells when listings may have changed, until disposed. */
  onChange(listener: (change: ListChange) => void): Disposable;
}

/** A `ToolSet` that also answers every other MCP method. */
export interface Source extends ToolSet {
  /**
   * Answers an MCP request other than `tools/call` and the lists: `resources/read`, `prompts/get`,
   * `completion/complete`, `resources/subscribe`, `logging/setLevel`, … Under a rule, a request about a listing needs that
   * listing's permission, and of requests about none only `ping` and `logging/setLevel` pass.
   *
   * @throws {PosternError} `UNKNOWN_RESOURCE`, `UNKNOWN_PROMPT` or `UNKNOWN_METHOD`; otherwise what the server's
   * connection rejects with.
   */
  request(method: string, params: JsonObject, context: CallContext): Promise<JsonObject>;
  /** A narrower view, as of any set, under whose rule requests are as well. */
  restrict(rule: ToolRule): Source;
}

/**
 * Tells whether a set also answers other MCP methods.
 *
 * @param tools - The set.
 * @returns True for a {@link Source}.
 */
export function isSource(tools: ToolSet): tools is Source {
  return typeof (tools as Partial<Source>).request === "function";
}
