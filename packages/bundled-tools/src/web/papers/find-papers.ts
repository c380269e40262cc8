import type { PaperSources } from "./create-paper-sources.js";
import { findInTurn, type Found } from "./find-in-turn.js";
import type { Limits } from "./limits.js";
import { mergePapers } from "./merge-papers.js";
import type { PaperQuestion, PaperSource } from "./paper-source.js";
import type { Paper } from "./paper.js";
import type { Share } from "./share.js";

/** What is looked for, and where. */
export interface PaperSearch extends PaperQuestion {
  readonly isLifeSciences: boolean;
  readonly wantsPreprints: boolean;
  /** How many searches there were before. */
  readonly turn: number;
}

/** What may be used for it. */
export interface PaperMeans {
  readonly sources: PaperSources;
  readonly limits: Limits;
  /** The time of the whole search. */
  readonly whole: Share;
  /** Most time of one source. */
  readonly maxShareMs: number;
}

/** What came of it. */
export interface FoundPapers {
  /** Reviewed papers, then preprints; each at most as many as asked for. */
  readonly papers: readonly Paper[];
  /** Whether any source answered. */
  readonly isAnswered: boolean;
  /** Which sources failed, and why; safe to show. Empty when none did. */
  readonly failures: string;
}

/**
 * Searches for reviewed papers and, beside them, for preprints.
 *
 * @param search - What is looked for, and where.
 * @param means - What may be used.
 * @returns What came of it.
 * @throws {PosternError} `CANCELLED`
 */
export async function findPapers(search: PaperSearch, means: PaperMeans): Promise<FoundPapers> {
  const found = await Promise.all(
    toPools(search, means.sources).map((pool) => findInPool(pool, search, means)),
  );
  const lists = found.map((one) => toBest(one).slice(0, search.maxResults));
  const failures = found.flatMap((one) => one.failures);
  return {
    papers: mergePapers(...lists),
    isAnswered: found.some(({ enough, others }) => enough !== undefined || others.length > 0),
    failures: failures.map(({ name, reason }) => `${name}: ${reason}.`).join(" "),
  };
}

type Pool = readonly PaperSource[];

function toPools(search: PaperSearch, sources: PaperSources): readonly Pool[] {
  const { isLifeSciences, wantsPreprints, env, turn } = search;
  const isAvailable = (source: PaperSource): boolean => source.isAvailable(env);
  const general = toRotated(sources.general.filter(isAvailable), turn);
  const reviewed = isLifeSciences ? [...sources.lifeSciences, ...general] : general;
  const preprints = isLifeSciences ? sources.lifeSciencePreprints : sources.generalPreprints;
  return wantsPreprints
    ? [reviewed.filter(isAvailable), preprints.filter(isAvailable)]
    : [reviewed.filter(isAvailable)];
}

/** Each search begins with the next source, so that none bears them all. */
function toRotated(pool: Pool, turn: number): Pool {
  const start = pool.length === 0 ? 0 : turn % pool.length;
  return [...pool.slice(start), ...pool.slice(0, start)];
}

async function findInPool(
  pool: Pool,
  question: PaperQuestion,
  means: PaperMeans,
): Promise<Found<readonly Paper[]>> {
  return await findInTurn(
    pool.map((source) => ({
      name: source.name,
      ask: async (share: Share) => mergePapers(await source.find(question, share)),
    })),
    { ...means, isEnough: (papers) => papers.some(({ abstract }) => abstract !== null) },
  );
}

/** What has no abstract is of little use, and better than nothing. */
function toBest({ enough, others }: Found<readonly Paper[]>): readonly Paper[] {
  return enough?.value ?? others.find(({ value }) => value.length > 0)?.value ?? [];
}
