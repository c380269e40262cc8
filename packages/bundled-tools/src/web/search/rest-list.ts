import { isPosternError } from "@postern/errors";

/** Remembers who wants to be left alone, and until when. */
export interface RestList {
  /** Takes note of an error, when it is that someone was asked too often. */
  add(id: string, error: unknown): void;
  isResting(id: string): boolean;
}

/**
 * Makes an empty list.
 *
 * @param now - The time in milliseconds.
 * @returns The list.
 */
export function createRestList(now: () => number): RestList {
  const restsUntil = new Map<string, number>();
  return {
    add(id, error) {
      const restMs = findRestMs(error);
      if (restMs !== undefined) restsUntil.set(id, now() + restMs);
    },
    isResting: (id) => (restsUntil.get(id) ?? Number.NEGATIVE_INFINITY) > now(),
  };
}

function findRestMs(error: unknown): number | undefined {
  if (!isPosternError(error) || error.code !== "PROVIDER_RATE_LIMITED") return undefined;
  const { retryAfterMs } = error.data as { readonly retryAfterMs?: unknown };
  return typeof retryAfterMs === "number" ? retryAfterMs : undefined;
}
