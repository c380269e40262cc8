import type { ListingKind } from "@postern/tool";
import type { PoolEvent, PoolOptions } from "../pool-options.js";

/** What a server tells and asks of its pool. */
export interface ServerHub {
  readonly options: PoolOptions;
  /** Aborted when the pool closes. */
  readonly signal: AbortSignal;
  /** The time, in milliseconds since 1970. */
  now(): number;
  emit(event: PoolEvent): void;
  /** Some listings of a server are others now; `first`: they were not known before, so nobody has others. */
  changed(kinds: readonly ListingKind[], reading: "first" | "again"): void;
  /** The end of a connection that nobody else waits for. */
  track(closing: Promise<void>): void;
}
