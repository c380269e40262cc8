import {
  errorResult,
  findRequestTarget,
  findTargetListing,
  restrict,
  toolErrors,
  type CallContext,
  type CallOutcome,
  type JsonObject,
  type ListChange,
  type ListContext,
  type Listing,
  type ListingKind,
  type MissingServer,
  type RequestTarget,
  type Source,
  type ToolCall,
  type ToolRule,
} from "@postern/tool";
import type { ClientPool } from "./client-pool.js";
import { withoutAbort } from "./connection/limit.js";
import { poolErrors } from "./errors.js";
import { MergedLists, type OwnedListing } from "./merged-lists.js";
import { checkPrefixes } from "./naming/check-prefixes.js";
import type { PoolEvent, PoolOptions } from "./pool-options.js";
import type { ServerConfig } from "./server-config.js";
import type { ServerState } from "./server-state.js";
import { PoolServer } from "./server/pool-server.js";

/** The methods that a pool has functions for: asking for them by `request` would pass by names and rules. */
const ownMethods = new Set([
  "tools/call",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
]);

const toolsOnly: readonly ListingKind[] = Object.freeze(["tool"]);

/** The pool behind `connectServers`. */
export class Pool implements ClientPool {
  readonly #servers: readonly PoolServer[];
  readonly #merged: MergedLists;
  readonly #options: PoolOptions;
  readonly #closing = new AbortController();
  readonly #endings = new Set<Promise<void>>();
  readonly #listeners = new Set<(change: ListChange) => void>();
  #closed: Promise<void> | undefined;

  constructor(servers: Readonly<Record<string, ServerConfig>>, options: PoolOptions) {
    this.#options = options;
    const problems = checkPrefixes(servers);
    const hub = {
      options,
      signal: this.#closing.signal,
      now: () => (options.clock ?? Date.now)(),
      emit: (event: PoolEvent) => this.#emit(event),
      changed: (kinds: readonly ListingKind[], reading: "first" | "again") => {
        this.#merged.forget(kinds);
        if (reading === "again") this.#tell({ kinds });
      },
      track: (ending: Promise<void>) => this.#track(ending),
    };
    this.#servers = Object.entries(servers).map(
      ([name, config]) => new PoolServer(name, { config, problem: problems.get(name) }, hub),
    );
    this.#merged = new MergedLists(this.#servers, (event) => this.#emit(event));
  }

  /** Starts every server at once; resolves when each is connected or has failed. */
  async start(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.start()));
  }

  async list(context?: ListContext): Promise<readonly Listing[]> {
    const kinds = context?.kinds ?? toolsOnly;
    if (kinds.some((kind) => kind !== "tool")) await this.#load(kinds, context?.signal);
    return this.#merged.list(kinds);
  }

  async call(call: ToolCall): Promise<CallOutcome> {
    let owned = this.#findTool(call);
    if (owned !== undefined && !owned.server.connected) {
      if (this.#closed !== undefined) throw poolErrors.POOL_CLOSED();
      await owned.server.connect();
      // What it lists now may be something else.
      owned = this.#findTool(call);
    }
    if (owned === undefined) return errorResult(toolErrors.UNKNOWN_TOOL({ name: call.name }));
    return owned.server.call(owned.listing, call);
  }

  async request(method: string, params: JsonObject, context: CallContext): Promise<JsonObject> {
    if (this.#closed !== undefined) throw poolErrors.POOL_CLOSED();
    if (ownMethods.has(method)) throw toolErrors.UNKNOWN_METHOD({ method });
    const target = findRequestTarget(method, params);
    if (target === "invalid")
      throw toolErrors.INVALID_ARGUMENTS({ problems: [`${method} does not say of what`] });
    if (target === "none") return this.#requestAll(method, params, context);
    let owned = await this.#findTarget(target, context.signal);
    if (owned !== undefined && !owned.server.connected) {
      await owned.server.connect();
      const again = await this.#findTarget(target, context.signal);
      // What was found, and checked by whoever asks, is what is asked for.
      owned = again?.listing === owned.listing ? again : undefined;
    }
    if (owned === undefined)
      throw target.kinds[0] === "prompt"
        ? toolErrors.UNKNOWN_PROMPT({ name: target.name })
        : toolErrors.UNKNOWN_RESOURCE({ uri: target.name });
    const original = toOriginalParams({ method, params }, target, owned.listing);
    return owned.server.request(method, original, context);
  }

  restrict(rule: ToolRule): Source {
    return restrict(this, rule);
  }

  missing(): readonly MissingServer[] {
    return this.#servers.flatMap((server) => server.missing() ?? []);
  }

  servers(): readonly ServerState[] {
    return this.#servers.map((server) => this.#merged.toState(server));
  }

  onChange(listener: (change: ListChange) => void): Disposable {
    // Wrapped, so that one function that listens twice is told twice and can stop once.
    const own = (change: ListChange): void => listener(change);
    this.#listeners.add(own);
    return { [Symbol.dispose]: () => void this.#listeners.delete(own) };
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#closing.abort(poolErrors.POOL_CLOSED());
    this.#listeners.clear();
    const ends = await Promise.allSettled(this.#servers.map((server) => server.close()));
    while (this.#endings.size > 0) ends.push(...(await Promise.allSettled(this.#endings)));
    const failed = ends.find((end) => end.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }

  #findTool(call: ToolCall): OwnedListing | undefined {
    const owned = this.#merged.findTool(call.name);
    if (call.listing !== undefined && owned?.listing !== call.listing) return undefined;
    return owned;
  }

  async #findTarget(target: RequestTarget, signal: AbortSignal): Promise<OwnedListing | undefined> {
    const listings = await this.list({ kinds: target.kinds, signal });
    const listing = findTargetListing(listings, target);
    return listing === undefined ? undefined : this.#merged.findOwned(listing);
  }

  async #load(kinds: readonly ListingKind[], signal: AbortSignal | undefined): Promise<void> {
    const loading = Promise.all(this.#servers.map((server) => server.load(kinds)));
    if (signal === undefined) return void (await loading);
    await withoutAbort(loading, signal);
  }

  /** A request about no listing goes to every server that takes it; one that accepts is enough. */
  async #requestAll(method: string, params: JsonObject, context: CallContext): Promise<JsonObject> {
    if (method === "ping") return {};
    const able =
      method === "logging/setLevel"
        ? this.#servers.filter((server) => server.can("logging", "legacy"))
        : [];
    if (able.length === 0) throw toolErrors.UNKNOWN_METHOD({ method });
    return Promise.any(able.map((server) => server.request(method, params, context))).catch(
      (error: AggregateError) => {
        throw error.errors[0];
      },
    );
  }

  #emit(event: PoolEvent): void {
    try {
      this.#options.onEvent?.(event);
    } catch {
      // Whoever watches must not break what is watched.
    }
  }

  #tell(change: ListChange): void {
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch {
        // As above.
      }
    }
  }

  #track(ending: Promise<void>): void {
    this.#endings.add(ending);
    const forget = (): void => void this.#endings.delete(ending);
    ending.then(forget, forget);
  }
}

/** Puts the name that the server knows in place of the exposed one, there where it was read. URIs are never renamed. */
function toOriginalParams(
  { method, params }: { readonly method: string; readonly params: JsonObject },
  target: RequestTarget,
  listing: Listing,
): JsonObject {
  if (target.kinds[0] !== "prompt") return params;
  const name = listing.originalName;
  if (method !== "completion/complete") return { ...params, name };
  return { ...params, ref: { ...(params["ref"] as JsonObject), name } };
}
