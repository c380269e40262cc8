/** What a spill folder may hold. */
export interface SpillLimits {
  /** Default 1,000. */
  readonly maxFiles?: number;
  /** Of all files together; default 256 MiB. */
  readonly maxBytes?: number;
  /** Default 7 days. */
  readonly maxAgeMs?: number;
  /** The time in milliseconds since 1970; default `Date.now`. */
  readonly now?: () => number;
}

/** One stored output. */
export interface Spill {
  readonly path: string;
  readonly bytes: number;
}

/** Keeps outputs too long to show, for a while. */
export interface SpillStore {
  write(data: string | Uint8Array): Promise<Spill>;
  deleteExpired(): Promise<void>;
}
export function createSpillStore(_directory: string, _limits: SpillLimits = {}): SpillStore {
  return undefined as never;
}
