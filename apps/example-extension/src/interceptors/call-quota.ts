import {
  errorResult,
  isInputRequired,
  isInputRequiredError,
  type CallOutcome,
  type CallTool,
  type Interceptor,
  type ResolvedCall,
} from "@postern/tool";
import { assertLimit, extensionErrors } from "../errors.js";

/** How often each caller may call each tool. */
export interface CallQuota {
  /** Calls in one period. */
  readonly maxCalls: number;
  /** Length of a period, in milliseconds. */
  readonly perMs: number;
  /** Now, in milliseconds. Default: the system's clock. */
  readonly clock?: () => number;
}

interface Period {
  readonly startMs: number;
  calls: number;
}

/** More callers and tools than this are not counted apart: the oldest count is dropped, so that memory stays bounded. */
const maxPeriods = 10_000;

/**
 * Counts calls per caller and tool, and refuses those over the quota with `QUOTA_REACHED`. A call that only asked a
 * person something is not counted: it comes back with the answer, and counts then.
 *
 * @param quota - How many calls, in which time.
 * @returns The interceptor, with counts of its own.
 * @throws {PosternError} `INVALID_LIMIT`
 */
export function createCallQuota(quota: CallQuota): Interceptor {
  const { maxCalls, perMs, clock = Date.now } = quota;
  assertLimit("maxCalls", maxCalls);
  assertLimit("perMs", perMs);
  const periods = new Map<string, Period>();
  return (next) => async (call) => {
    const now = clock();
    const period = findPeriod(periods, { key: toKey(call), now, perMs });
    if (period.calls >= maxCalls) {
      const retryAfterMs = period.startMs + perMs - now;
      return errorResult(extensionErrors.QUOTA_REACHED({ maxCalls, retryAfterMs }));
    }
    return callCounted(next, call, period);
  };
}

function toKey({ context, listing }: ResolvedCall): string {
  return JSON.stringify([context.caller.kind, context.caller.id, listing.server, listing.name]);
}

function findPeriod(
  periods: Map<string, Period>,
  { key, now, perMs }: { readonly key: string; readonly now: number; readonly perMs: number },
): Period {
  const running = periods.get(key);
  if (running !== undefined && now < running.startMs + perMs) return running;
  const fresh: Period = { startMs: now, calls: 0 };
  // A map keeps the order of insertion: deleted first, the new period is the youngest.
  periods.delete(key);
  periods.set(key, fresh);
  if (periods.size > maxPeriods) periods.delete(periods.keys().next().value ?? key);
  return fresh;
}

/** Counts before the call, or several at once would all find room; takes it back when the call did not happen yet. */
async function callCounted(
  next: CallTool,
  call: ResolvedCall,
  period: Period,
): Promise<CallOutcome> {
  period.calls += 1;
  try {
    const outcome = await next(call);
    if (isInputRequired(outcome)) period.calls -= 1;
    return outcome;
  } catch (error) {
    if (isInputRequiredError(error)) period.calls -= 1;
    throw error;
  }
}
