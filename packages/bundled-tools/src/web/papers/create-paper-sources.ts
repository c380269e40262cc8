import type { Fetch } from "../search/lazy-fetch.js";
import type { PaperSource, SourceParts } from "./paper-source.js";
import { createArxiv } from "./sources/arxiv.js";
import { createCrossref } from "./sources/crossref.js";
import { createEuropePmc } from "./sources/europe-pmc.js";
import { createOpenAlex } from "./sources/openalex.js";
import { createPubMed } from "./sources/pubmed.js";
import { createSemanticScholar } from "./sources/semantic-scholar.js";

/** Where the services are. */
const paperEndpoints = Object.freeze({
  openalex: "https://api.openalex.org/works",
  crossref: "https://api.crossref.org/works",
  "semantic-scholar": "https://api.semanticscholar.org/graph/v1/paper/search",
  "europe-pmc": "https://www.ebi.ac.uk/europepmc/webservices/rest/search",
  pubmed: "https://eutils.ncbi.nlm.nih.gov/entrez/eutils",
  arxiv: "https://export.arxiv.org/api/query",
});

/** The least time between two requests to a service, where it asks for one. */
const intervalsMs = { "semantic-scholar": 2000, pubmed: 340, arxiv: 3000 } as const;

type Endpoint = keyof typeof paperEndpoints;

/** Other addresses and intervals; for tests. */
export interface PaperSourceOptions {
  readonly endpoints?: Readonly<Partial<Record<Endpoint, string>>>;
  readonly intervalsMs?: Readonly<Partial<Record<Endpoint, number>>>;
}

/** The sources, by what they are asked for. */
export interface PaperSources {
  /** Of every field, in the order of the first search. */
  readonly general: readonly PaperSource[];
  /** Of medicine and biology; asked before the general ones. */
  readonly lifeSciences: readonly PaperSource[];
  readonly generalPreprints: readonly PaperSource[];
  readonly lifeSciencePreprints: readonly PaperSource[];
}

/**
 * Makes the sources of papers.
 *
 * @param fetch - What they are asked with.
 * @param options - For tests.
 */
export function createPaperSources(fetch: Fetch, options: PaperSourceOptions = {}): PaperSources {
  const toParts = (name: Endpoint): SourceParts => ({
    fetch,
    url: options.endpoints?.[name] ?? paperEndpoints[name],
    intervalMs: { ...intervalsMs, ...options.intervalsMs }[name as "arxiv"] ?? 0,
  });
  const europePmc = toParts("europe-pmc");
  const arxiv = createArxiv(toParts("arxiv"));
  return {
    general: [
      createOpenAlex(toParts("openalex")),
      createCrossref(toParts("crossref")),
      createSemanticScholar(toParts("semantic-scholar")),
    ],
    lifeSciences: [createEuropePmc(europePmc, "MED"), createPubMed(toParts("pubmed"))],
    generalPreprints: [arxiv],
    lifeSciencePreprints: [createEuropePmc(europePmc, "PPR"), arxiv],
  };
}
