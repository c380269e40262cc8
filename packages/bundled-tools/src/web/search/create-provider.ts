import type { ReadVariable } from "../../root-user.js";
import type { Fetch } from "./lazy-fetch.js";
import { readProviderKey, type ProviderKey } from "./provider-key.js";
import type { FoundPage, SearchProvider, SearchRequest } from "./search-provider.js";
import { createTimeLimit, type TimeLimit } from "./time-limit.js";

/** What the providers that come with Postern are made of. */
export interface ProviderSurroundings {
  readonly fetch: Fetch;
  /** Reads the keys, at every use. */
  readonly env: ReadVariable;
  /** By name of the provider: where it is instead; for tests. */
  readonly endpoints?: Readonly<Record<string, string>>;
}

/** One search, in the hands of a provider. */
export interface Lookup {
  readonly fetch: Fetch;
  readonly endpoint: string;
  readonly key: ProviderKey;
  readonly request: SearchRequest;
  readonly limit: TimeLimit;
}

/** How a provider is reached. */
export interface ProviderDefinition {
  readonly name: string;
  readonly endpoint: string;
  /** The variable of its key. */
  readonly variable: string;
  readonly needsKey: boolean;
  readonly find: (lookup: Lookup) => Promise<readonly FoundPage[]>;
}

/**
 * Makes a provider. Its key is read at every search, and taken out of all that it answers.
 *
 * @param definition - How it is reached.
 * @param surroundings - What fetches, and the keys.
 * @returns The provider.
 */
export function createProvider(
  { name, endpoint, variable, needsKey, find }: ProviderDefinition,
  { fetch, env, endpoints }: ProviderSurroundings,
): SearchProvider {
  return Object.freeze<SearchProvider>({
    name,
    readAccess() {
      if ((env(variable) ?? "").trim() !== "") return "keyed";
      return needsKey ? "none" : "keyless";
    },
    async search(request) {
      const key = readProviderKey(variable, env(variable));
      const limit = createTimeLimit(request.timeoutMs, request.signal);
      const at = endpoints?.[name] ?? endpoint;
      const pages = await find({ fetch, endpoint: at, key, request, limit });
      return pages.map((page) => withoutKey(page, key));
    },
  });
}

function withoutKey(page: FoundPage, { hide }: ProviderKey): FoundPage {
  const { title, url, snippet, published } = page;
  return {
    ...page,
    title: hide(title),
    url: hide(url),
    snippet: hide(snippet),
    published: published === null ? null : hide(published),
  };
}
