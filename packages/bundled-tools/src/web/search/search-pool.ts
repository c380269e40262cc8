import { bundledErrors } from "../../errors.js";
import { askInTime, toReason } from "./ask-in-time.js";
import { webSearchErrors } from "./errors.js";
import { createRestList } from "./rest-list.js";
import type { FoundPage, ProviderAccess, SearchProvider } from "./search-provider.js";
import { toResults } from "./to-results.js";

/** What is searched for. */
export interface PoolRequest {
  readonly query: string;
  readonly maxResults: number;
  readonly signal: AbortSignal;
}

/** What was found, and by whom. */
export interface PoolAnswer {
  readonly provider: string;
  readonly results: readonly FoundPage[];
}

/** Which providers there are, and how long a search takes at most. */
export interface PoolOptions {
  readonly providers: readonly SearchProvider[];
  /** For all providers together. */
  readonly timeoutMs: number;
  /** The time in milliseconds. Default: a clock that never goes back. */
  readonly now?: () => number;
}

interface Candidate {
  readonly provider: SearchProvider;
  readonly access: ProviderAccess;
  /** A key has a limit of its own. */
  readonly limitId: string;
}

/**
 * Makes a search that asks one provider after the other until one finds something. Those with a key come first; none
 * is asked twice; one that wanted to be left alone is, as long as there is another; and whoever hangs takes only its
 * share of the time that is left.
 *
 * @param options - The providers and the time there is.
 * @returns Searches. Rejects with `NO_SEARCH_PROVIDER`, `WEB_SEARCH_FAILED` or `CANCELLED`.
 */
export function createSearchPool(
  options: PoolOptions,
): (request: PoolRequest) => Promise<PoolAnswer> {
  const { providers, timeoutMs, now = () => performance.now() } = options;
  const rests = createRestList(now);
  return async ({ query, maxResults, signal }) => {
    const candidates = findCandidates(providers);
    if (candidates.length === 0) throw webSearchErrors.NO_SEARCH_PROVIDER();
    const ready = candidates.filter(({ limitId }) => !rests.isResting(limitId));
    const asked = ready.length > 0 ? ready : candidates;
    const reasons = candidates
      .filter((candidate) => !asked.includes(candidate))
      .map(({ provider }) => `${provider.name}: It was asked too often a while ago.`);
    const end = performance.now() + timeoutMs;
    let silent: string | undefined;
    for (const [at, { provider, limitId }] of asked.entries()) {
      const turn = await askInTime(
        (share) => provider.search({ query, maxResults, ...share }),
        (end - performance.now()) / (asked.length - at),
        signal,
      );
      if (signal.aborted) throw bundledErrors.CANCELLED();
      if ("error" in turn) {
        rests.add(limitId, turn.error);
        reasons.push(`${provider.name}: ${toReason(turn.error)}`);
        continue;
      }
      const results = toResults(turn.value, maxResults);
      if (results.length > 0) return { provider: provider.name, results };
      silent ??= provider.name;
    }
    if (silent !== undefined) return { provider: silent, results: [] };
    throw webSearchErrors.WEB_SEARCH_FAILED({ reasons: reasons.join(" ") });
  };
}

function findCandidates(providers: readonly SearchProvider[]): readonly Candidate[] {
  const candidates = providers
    .map((provider) => {
      const access = provider.readAccess();
      return { provider, access, limitId: `${provider.name} ${access}` };
    })
    .filter(({ access }) => access !== "none");
  const keyed = candidates.filter(({ access }) => access === "keyed");
  return [...keyed, ...candidates.filter(({ access }) => access !== "keyed")];
}
