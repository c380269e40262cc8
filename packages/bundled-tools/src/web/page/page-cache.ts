/** What is kept of a page, so that its next part is of the same page. */
export interface CachedPage {
  readonly text: string;
  readonly statusCode: number;
  readonly contentType: string;
  readonly finalUrl: string;
  readonly redirects: readonly string[];
  readonly downloadTruncated: boolean;
  readonly note: string;
}

/** The pages that were fetched last. */
export interface PageCache {
  find(url: string): CachedPage | undefined;
  add(url: string, page: CachedPage): void;
}

/**
 * Makes a cache that only serves reading on: a page from its beginning is always fetched anew.
 *
 * @param limits - Pages, their characters together, and how long each is kept.
 * @returns The cache.
 */
export function createPageCache(
  limits = { maxPages: 16, maxChars: 20_000_000, maxAgeMs: 15 * 60_000 },
): PageCache {
  const pages = new Map<string, { readonly page: CachedPage; readonly at: number }>();
  const shrink = (): void => {
    let chars = 0;
    for (const [url, { page, at }] of [...pages].toReversed()) {
      chars += page.text.length;
      const isOld = performance.now() - at > limits.maxAgeMs;
      if (isOld || chars > limits.maxChars) pages.delete(url);
    }
    for (const url of [...pages.keys()].slice(0, Math.max(0, pages.size - limits.maxPages)))
      pages.delete(url);
  };
  return {
    find(url) {
      shrink();
      return pages.get(url)?.page;
    },
    add(url, page) {
      pages.delete(url);
      pages.set(url, { page, at: performance.now() });
      shrink();
    },
  };
}
