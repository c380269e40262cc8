/** Failures that an address may have at once, and how fast they are forgotten. */
const maxFailures = 10;
const forgetMs = 60_000;
const maxAddresses = 10_000;

interface Failures {
  count: number;
  since: number;
}

/** Remembers how often each address sent a wrong credential. */
export class FailedCredentials {
  readonly #failures = new Map<string, Failures>();
  readonly #now: () => number;

  /** @param now - The clock, in milliseconds. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * Counts one failure.
   *
   * @param address - The peer's address.
   * @returns Seconds to wait, once there were more than 10 within a minute; 0 before.
   */
  add(address: string): number {
    const now = this.#now();
    const known = this.#failures.get(address);
    const entry =
      known === undefined || now - known.since >= forgetMs ? { count: 0, since: now } : known;
    entry.count += 1;
    this.#failures.delete(address);
    this.#failures.set(address, entry);
    // Bounded: a flood from many addresses pushes the oldest out, never the memory up.
    if (this.#failures.size > maxAddresses)
      for (const oldest of this.#failures.keys()) {
        this.#failures.delete(oldest);
        break;
      }
    if (entry.count <= maxFailures) return 0;
    return Math.max(1, Math.ceil((entry.since + forgetMs - now) / 1_000));
  }
}
