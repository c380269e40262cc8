/** Who asked to be left in peace, and until when. */
export interface Limits {
  isLimited(name: string): boolean;
  /** Notes that it is over its limit, for as long as it said. */
  add(name: string, retryAfterMs: number | null): void;
  /** Notes that it answered. */
  delete(name: string): void;
}

const defaultMs = 60_000;
const maxMs = 24 * 3600_000;

/**
 * Makes the memory of who is over a limit.
 *
 * @param now - The clock. Default: `performance.now`.
 */
export function createLimits(now: () => number = () => performance.now()): Limits {
  const until = new Map<string, number>();
  return {
    isLimited: (name) => (until.get(name) ?? 0) > now(),
    add: (name, retryAfterMs) => {
      until.set(name, now() + Math.min(retryAfterMs ?? defaultMs, maxMs));
    },
    delete: (name) => {
      until.delete(name);
    },
  };
}
