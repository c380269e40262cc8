/** What is asked of a search provider. */
export interface SearchRequest {
  /** Never blank. */
  readonly query: string;
  /** How many results are of use. A provider may find more. */
  readonly maxResults: number;
  /** For everything together; the caller waits no longer. */
  readonly timeoutMs: number;
  /** Ends the search. */
  readonly signal: AbortSignal;
}

/** One result as a provider gives it; the tool checks, shortens and de-duplicates. */
export interface FoundPage {
  /** As the provider words it. */
  readonly title: string;
  /** Where it is; one that is not http or https is dropped. */
  readonly url: string;
  /** What the page says about it. */
  readonly snippet: string;
  /** When it was published, as the provider words it; null when it does not say. */
  readonly published: string | null;
  /** How well it fits, on a scale of the provider's own; null when it does not say. */
  readonly score: number | null;
}

/** How a provider can be used at the moment: with a key, without one, or not at all. */
export type ProviderAccess = "keyed" | "keyless" | "none";

/** Something that searches the web. */
export interface SearchProvider {
  /** Short and unique, for example "brave". */
  readonly name: string;
  /** Asked at every search; those with a key come first. */
  readAccess(): ProviderAccess;
  /**
   * Searches.
   *
   * @param request - What is searched for, and how long.
   * @returns The results, best first; none when it found none.
   * @throws {PosternError} `PROVIDER_RATE_LIMITED`, `PROVIDER_STATUS`, `PROVIDER_REFUSED`, `PROVIDER_MALFORMED`,
   *   `PROVIDER_KEY_INVALID`, and the codes of a safe fetch. No message holds a key.
   */
  search(request: SearchRequest): Promise<readonly FoundPage[]>;
}
