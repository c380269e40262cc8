import { isPosternError } from "@postern/errors";
import { bundledErrors } from "../../errors.js";
import { webSearchErrors } from "./errors.js";

/** How long one of several may take. */
export interface Share {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What came of asking one of several. */
export type Turn<Value> = { readonly value: Value } | { readonly error: unknown };

/**
 * Waits for a service, but no longer than its share: one that ignores its limits costs nobody else the turn.
 *
 * @param ask - Asks it; may throw.
 * @param shareMs - How long it may take.
 * @param signal - Of the whole call.
 * @returns The value or the error; never rejects.
 */
export async function askInTime<Value>(
  ask: (share: Share) => Promise<Value>,
  shareMs: number,
  signal: AbortSignal,
): Promise<Turn<Value>> {
  if (signal.aborted) return { error: bundledErrors.CANCELLED() };
  const timeoutMs = Math.max(1, Math.floor(shareMs));
  const ended = new AbortController();
  const share = { timeoutMs, signal: AbortSignal.any([signal, ended.signal]) };
  const over = new Promise<Turn<Value>>((resolve) => {
    share.signal.addEventListener("abort", () =>
      resolve({ error: webSearchErrors.PROVIDER_TIMEOUT({ timeoutMs }) }),
    );
  });
  const timer = setTimeout(() => ended.abort(), timeoutMs);
  try {
    return await Promise.race([over, readTurn(() => ask(share))]);
  } finally {
    clearTimeout(timer);
    ended.abort();
  }
}

async function readTurn<Value>(ask: () => Promise<Value>): Promise<Turn<Value>> {
  try {
    return { value: await ask() };
  } catch (error) {
    return { error };
  }
}

/**
 * Says why a service did not answer, for the one who searches.
 *
 * @param error - What it rejected with.
 * @returns A sentence; nothing of an error that is not ours.
 */
export function toReason(error: unknown): string {
  if (!isPosternError(error)) return "It failed.";
  return error.code === "FETCH_TIMEOUT" ? "It did not answer in time." : error.message;
}
