/**
 * Remembers which sealed states were used, so that each is used once. Several processes that share a `stateKey` must
 * share one store too.
 */
export interface NonceStore {
  /**
   * Uses a nonce.
   *
   * @param nonce - It; any text.
   * @param expiresAt - Until when it must be remembered, in milliseconds since 1970. The same for every use of one nonce.
   * @returns True for the one first use; false for every other, and where it cannot be remembered.
   */
  use(nonce: string, expiresAt: number): Promise<boolean>;
}

const defaultMaxNonces = 250_000;

/** How much a store in memory keeps, and by which clock. */
export interface MemoryNonceOptions {
  /** Most nonces that are remembered at once; beyond it every use is refused until some expire. Default: 250,000. */
  readonly maxNonces?: number;
  /** The clock, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/**
 * Makes a store for one process.
 *
 * @param options - Its size and clock.
 * @returns The store.
 */
export function createMemoryNonceStore(options: MemoryNonceOptions = {}): NonceStore {
  const { maxNonces = defaultMaxNonces, now = Date.now } = options;
  const used = new Map<string, number>();
  const forget = (): void => {
    const time = now();
    for (const [nonce, expiresAt] of used) if (expiresAt <= time) used.delete(nonce);
  };
  let nextSweep = 0;
  return Object.freeze({
    use(nonce: string, expiresAt: number): Promise<boolean> {
      if (used.has(nonce)) return Promise.resolve(false);
      if (used.size >= maxNonces || now() >= nextSweep) {
        forget();
        nextSweep = now() + sweepMs;
      }
      // Full: forgetting one that can still be sent again would let it be used twice.
      if (used.size >= maxNonces) return Promise.resolve(false);
      used.set(nonce, expiresAt);
      return Promise.resolve(true);
    },
  });
}

const sweepMs = 60_000;
