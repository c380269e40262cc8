import type { Listing, ListingKind } from "@postern/tool";
import { listedKinds } from "./catalogue/listed-kinds.js";
import { toShown } from "./connection/to-shown.js";
import type { PoolEvent } from "./pool-options.js";
import type { ListingProblem, ServerState } from "./server-state.js";
import type { PoolServer } from "./server/pool-server.js";

/** A listing, and the server that is called for it. */
export interface OwnedListing {
  readonly listing: Listing;
  readonly server: PoolServer;
}

/** The listings of one kind, of all servers. */
interface KindList {
  readonly listings: readonly Listing[];
  readonly byName: ReadonlyMap<string, OwnedListing>;
  /** Listings whose name another server had first, or reserves by its prefix. */
  readonly collisions: ReadonlyMap<PoolServer, readonly ListingProblem[]>;
}

/** The lists of all servers as one, put together again only when one of them changed. */
export class MergedLists {
  readonly #servers: readonly PoolServer[];
  readonly #emit: (event: PoolEvent) => void;
  readonly #kinds = new Map<ListingKind, KindList>();
  /** Mixed lists, by the kinds in them. */
  readonly #mixed = new Map<string, readonly Listing[]>();
  readonly #reported = new Set<string>();
  #tools: KindList | undefined;

  constructor(servers: readonly PoolServer[], emit: (event: PoolEvent) => void) {
    this.#servers = servers;
    this.#emit = emit;
  }

  /** The listings of some kinds: kind by kind, servers as configured, each in its own order. */
  list(kinds: readonly ListingKind[]): readonly Listing[] {
    const [only] = kinds;
    if (kinds.length === 1 && only !== undefined) return this.#find(only).listings;
    const wanted = listedKinds.filter(({ kind }) => kinds.includes(kind)).map(({ kind }) => kind);
    const key = wanted.join();
    const kept = this.#mixed.get(key);
    if (kept !== undefined) return kept;
    const mixed = Object.freeze(wanted.flatMap((kind) => this.#find(kind).listings));
    this.#mixed.set(key, mixed);
    return mixed;
  }

  /** Finds the tool that a name stands for. */
  findTool(name: string): OwnedListing | undefined {
    this.#tools ??= this.#find("tool");
    return this.#tools.byName.get(name);
  }

  /** Finds the server that a listing is of; undefined for one that is not in the list. */
  findOwned(listing: Listing): OwnedListing | undefined {
    const owned = this.#find(listing.kind).byName.get(listing.name);
    return owned?.listing === listing ? owned : undefined;
  }

  /** A server's state, with what only all lists together show. */
  toState(server: PoolServer): ServerState {
    const { byName } = this.#find("tool");
    let toolCount = 0;
    for (const owned of byName.values()) if (owned.server === server) toolCount += 1;
    const state = server.state(toolCount);
    if (state.state !== "connected") return state;
    const collisions = [...this.#kinds.values()].flatMap(
      (list) => list.collisions.get(server) ?? [],
    );
    return collisions.length === 0
      ? state
      : { ...state, dropped: [...state.dropped, ...collisions] };
  }

  /** Some lists have changed. */
  forget(kinds: readonly ListingKind[]): void {
    for (const kind of kinds) this.#kinds.delete(kind);
    this.#tools = undefined;
    this.#mixed.clear();
  }

  #find(kind: ListingKind): KindList {
    const kept = this.#kinds.get(kind);
    if (kept !== undefined) return kept;
    const byName = new Map<string, OwnedListing>();
    const collisions = new Map<PoolServer, ListingProblem[]>();
    for (const server of this.#servers)
      for (const listing of server.lists.listings(kind)) {
        const { name } = listing;
        const owner = byName.get(name)?.server ?? this.#findNameOwner(listing, server);
        if (owner === undefined) byName.set(name, { listing, server });
        else {
          const problem = this.#toCollision(listing, owner);
          collisions.set(server, [...(collisions.get(server) ?? []), problem]);
          this.#report(server, problem);
        }
      }
    const listings = Object.freeze([...byName.values()].map(({ listing }) => listing));
    const list = { listings, byName, collisions };
    this.#kinds.set(kind, list);
    return list;
  }

  /** A server without a prefix could take another's name, also before that one is there: the prefix reserves it. */
  #findNameOwner({ kind, name }: Listing, { prefix }: PoolServer): PoolServer | undefined {
    if (prefix !== "" || (kind !== "tool" && kind !== "prompt")) return undefined;
    return this.#servers.find((other) => other.prefix !== "" && name.startsWith(other.prefix));
  }

  #toCollision({ kind, originalName, name }: Listing, first: PoolServer): ListingProblem {
    return {
      kind,
      name: toShown(originalName),
      problem: `${kind === "tool" || kind === "prompt" ? `the name ${name}` : "its URI"} is taken by the server "${first.name}"`,
    };
  }

  #report(server: PoolServer, problem: ListingProblem): void {
    const key = JSON.stringify([server.name, problem]);
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.#emit({ type: "dropped", server: server.name, ...problem });
  }
}
