import { isPosternError } from "@postern/errors";
import { bundledErrors } from "../../errors.js";
import { paperErrors } from "./errors.js";
import type { Limits } from "./limits.js";
import { withShare, type Share } from "./share.js";

/** Someone who can be asked. */
export interface Candidate<T> {
  readonly name: string;
  ask(share: Share): Promise<T>;
}

/** What one of them answered. */
export interface Answered<T> {
  readonly name: string;
  readonly value: T;
}

/** How they are asked. */
export interface Turns<T> {
  /** The time of all together. */
  readonly whole: Share;
  /** Most time of one of them. */
  readonly maxShareMs: number;
  readonly limits: Limits;
  /** Whether an answer will do, so that nobody else is asked. */
  isEnough(value: T): boolean;
}

/** What came of it. */
export interface Found<T> {
  /** The answer that will do. */
  readonly enough: Answered<T> | undefined;
  /** Answers that were not enough, in order. */
  readonly others: readonly Answered<T>[];
  /** Who failed or was left out, and why; safe to show. */
  readonly failures: readonly { readonly name: string; readonly reason: string }[];
}

/**
 * Asks one after another, each once, until an answer will do. Whoever is over a limit is left out, unless all are.
 *
 * @param candidates - Whom to ask, in order.
 * @param turns - The time they share, and what will do.
 * @returns What came of it; it never takes longer than there is time.
 * @throws {PosternError} `CANCELLED`
 */
export async function findInTurn<T>(
  candidates: readonly Candidate<T>[],
  turns: Turns<T>,
): Promise<Found<T>> {
  const free = candidates.filter(({ name }) => !turns.limits.isLimited(name));
  const asked = free.length > 0 ? free : candidates;
  const failures = candidates
    .filter((candidate) => !asked.includes(candidate))
    .map(({ name }) => ({ name, reason: "left out, as it was over its limit" }));
  const others: Answered<T>[] = [];
  for (const [index, candidate] of asked.entries()) {
    const { name } = candidate;
    const share = toShare(turns, asked.length - index);
    try {
      if (share.deadlineMs <= performance.now())
        throw paperErrors.PAPER_SOURCE_FAILED({ reason: "no time was left for it" });
      const value = await withShare((part) => candidate.ask(part), share);
      turns.limits.delete(name);
      if (turns.isEnough(value)) return { enough: { name, value }, others, failures };
      others.push({ name, value });
    } catch (error) {
      if (turns.whole.signal.aborted) throw bundledErrors.CANCELLED();
      failures.push({ name, reason: toReason(error) });
      if (isPosternError(error, paperErrors) && error.code === "PAPER_SOURCE_LIMITED")
        turns.limits.add(name, error.data.retryAfterMs);
    }
  }
  return { enough: undefined, others, failures };
}

/** Everyone who is still to be asked has the same part of what is left: one that hangs costs nobody else a turn. */
function toShare<T>({ whole, maxShareMs }: Turns<T>, left: number): Share {
  const now = performance.now();
  const remainingMs = Math.max(0, whole.deadlineMs - now);
  return { signal: whole.signal, deadlineMs: now + Math.min(maxShareMs, remainingMs / left) };
}

function toReason(error: unknown): string {
  const reason: unknown = isPosternError(error, paperErrors)
    ? (error.data as { readonly reason?: unknown }).reason
    : undefined;
  // What anything else says may hold anything, also a key.
  return typeof reason === "string" ? reason : "an unexpected failure";
}
