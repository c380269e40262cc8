import { isPosternError, type PosternError } from "@postern/errors";
import type { Listing, ListingKind } from "@postern/tool";
import {
  createCatalogue,
  emptyCatalogue,
  type Catalogue,
  type CatalogueOwner,
} from "../catalogue/catalogue.js";
import { findListedKind, listedKinds } from "../catalogue/listed-kinds.js";
import { readList } from "../catalogue/read-list.js";
import type { Connection } from "../connection/connection.js";
import { withLimit } from "../connection/limit.js";
import { poolErrors } from "../errors.js";
import type { ListingProblem } from "../server-state.js";
import type { ServerHub } from "./server-hub.js";

/** Whose lists are kept. */
export interface ListOwner extends Omit<CatalogueOwner, "headers"> {
  /** For one whole list. */
  readonly timeoutMs: number;
  readonly http: boolean;
}

interface Kept {
  catalogue: Catalogue;
  /** The connection it was read from; another one may list other things. */
  connection: Connection | undefined;
  failure: { readonly error: PosternError; readonly since: number } | undefined;
}

/** How long a list that failed is not asked for again. */
const retryAfterMs = 30_000;

/** Several changes mostly come together. */
const settleMs = 20;

/** A server that tells of changes without end is not read without end. */
const betweenReadingsMs = 250;

/** Keeps what one server lists: last known good, read anew when it says so. */
export class ListKeeper {
  readonly #owner: ListOwner;
  readonly #hub: ServerHub;
  readonly #kept = new Map<ListingKind, Kept>();
  readonly #reading = new Map<ListingKind, Promise<void>>();
  readonly #lastRead = new Map<ListingKind, number>();
  readonly #settling = new Map<ListingKind, ReturnType<typeof setTimeout>>();

  constructor(owner: ListOwner, hub: ServerHub) {
    this.#owner = owner;
    this.#hub = hub;
  }

  /** What is listed of a kind, as far as is known. */
  listings(kind: ListingKind): readonly Listing[] {
    return this.#kept.get(kind)?.catalogue.listings ?? emptyCatalogue.listings;
  }

  /** Whether the list of a kind was ever read. */
  has(kind: ListingKind): boolean {
    return this.#kept.get(kind)?.connection !== undefined;
  }

  dropped(): readonly ListingProblem[] {
    return [...this.#kept.values()].flatMap(({ catalogue }) => catalogue.dropped);
  }

  repaired(): readonly ListingProblem[] {
    return [...this.#kept.values()].flatMap(({ catalogue }) => catalogue.repaired);
  }

  /** The first list that could not be read, if any. */
  failure(): Kept["failure"] {
    return [...this.#kept.values()].find(({ failure }) => failure !== undefined)?.failure;
  }

  /**
   * Reads the list of a kind, if the server has such things.
   *
   * @throws {PosternError} `CATALOG_TIMEOUT`, `CATALOG_FAILED`, or why the connection was lost.
   */
  async read(kind: ListingKind, connection: Connection): Promise<void> {
    const { server, timeoutMs, http } = this.#owner;
    const listed = findListedKind(kind);
    this.#lastRead.set(kind, performance.now());
    const last = this.#kept.get(kind)?.catalogue ?? emptyCatalogue;
    const raw =
      connection.capabilities[listed.capability] === undefined
        ? { items: [] }
        : await withLimit(readList(connection.wire, { server, listed, timeoutMs }), {
            // The pages' own limits end the work; this one also ends a wait for the last of them.
            timeoutMs: timeoutMs + 1_000,
            toError: () => poolErrors.CATALOG_TIMEOUT({ server, timeoutMs }),
          });
    const headers = http && connection.era === "modern";
    const catalogue = createCatalogue(raw, { ...this.#owner, headers }, { listed, last });
    this.#kept.set(kind, { catalogue, connection, failure: undefined });
    if (catalogue !== last) this.#report(kind, catalogue);
  }

  /** Reads what is asked for and not known yet. Failures are kept for `failure()`. */
  async load(kinds: readonly ListingKind[], connection: Connection): Promise<void> {
    await Promise.all(kinds.map((kind) => this.#loadKind(kind, connection)));
  }

  /** Takes a notification: a list that is in use and has changed is read again. */
  onNotification(method: string, connection: Connection): void {
    for (const { kind, changed } of listedKinds)
      if (changed === method && this.has(kind)) this.refresh(kind, connection);
  }

  /** Reads a list again, soon. */
  refresh(kind: ListingKind, connection: Connection): void {
    if (this.#settling.has(kind)) return;
    const pauseMs = (this.#lastRead.get(kind) ?? 0) + betweenReadingsMs - performance.now();
    const timer = setTimeout(
      () => {
        this.#settling.delete(kind);
        void this.#refreshNow(kind, connection);
      },
      Math.max(settleMs, pauseMs),
    );
    this.#settling.set(kind, timer);
  }

  /** Reads again every list in use, as changes may have been missed. */
  refreshAll(connection: Connection): void {
    for (const kind of this.#kept.keys()) if (this.has(kind)) this.refresh(kind, connection);
  }

  close(): void {
    for (const timer of this.#settling.values()) clearTimeout(timer);
    this.#settling.clear();
  }

  async #loadKind(kind: ListingKind, connection: Connection): Promise<void> {
    const kept = this.#kept.get(kind);
    if (kept?.connection === connection && kept.failure === undefined) return;
    if (kept?.failure !== undefined && this.#hub.now() - kept.failure.since < retryAfterMs) return;
    await this.#single(kind, connection);
  }

  /** One reading of a kind at a time; whoever comes meanwhile waits for it. */
  #single(kind: ListingKind, connection: Connection): Promise<void> {
    const reading = this.#reading.get(kind);
    if (reading !== undefined) return reading;
    const fresh = this.#readOrKeep(kind, connection).finally(() => this.#reading.delete(kind));
    this.#reading.set(kind, fresh);
    return fresh;
  }

  async #refreshNow(kind: ListingKind, connection: Connection): Promise<void> {
    // A reading under way may have begun before the change.
    await this.#reading.get(kind);
    if (!connection.wire.lost) await this.#single(kind, connection);
  }

  async #readOrKeep(kind: ListingKind, connection: Connection): Promise<void> {
    const last = this.#kept.get(kind)?.catalogue ?? emptyCatalogue;
    const reading = this.#kept.has(kind) ? "again" : "first";
    try {
      await this.read(kind, connection);
    } catch (error) {
      const { server } = this.#owner;
      const known = isPosternError(error)
        ? error
        : poolErrors.CATALOG_FAILED({ server, reason: "the connection failed" });
      const failure = { error: known, since: this.#hub.now() };
      this.#kept.set(kind, { catalogue: last, connection, failure });
      this.#hub.emit({ type: "failed", server, code: known.code, reason: known.message });
    }
    if (this.#kept.get(kind)?.catalogue === last) return;
    if (reading === "again") this.#hub.emit({ type: "changed", server: this.#owner.server, kind });
    this.#hub.changed([kind], reading);
  }

  #report(kind: ListingKind, { dropped, repaired }: Catalogue): void {
    const { server } = this.#owner;
    for (const problem of dropped) this.#hub.emit({ type: "dropped", server, ...problem });
    for (const problem of repaired)
      if (problem.kind === kind) this.#hub.emit({ type: "repaired", server, ...problem });
  }
}
