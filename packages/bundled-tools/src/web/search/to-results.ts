import type { FoundPage } from "./search-provider.js";

/** Most characters of a snippet. */
export const maxSnippetChars = 2000;
const maxTitleChars = 500;
const maxDateChars = 100;
const maxUrlChars = 4000;

/** Says only where a visitor came from, so two URLs that differ in it are one page. */
const tracking = /^(?:utm_\w+|gclid|dclid|fbclid|msclkid|mc_cid|mc_eid|igshid|ref_src)$/i;

/**
 * Makes results that can be shown of what a provider found: http and https only, each page once, texts of bounded
 * length.
 *
 * @param pages - What was found, best first.
 * @param maxResults - Most results.
 * @returns The results, in their order.
 */
export function toResults(pages: readonly FoundPage[], maxResults: number): readonly FoundPage[] {
  const seen = new Set<string>();
  const results: FoundPage[] = [];
  for (const page of pages) {
    if (results.length >= maxResults) break;
    const result = toResult(page);
    const canonical = result === undefined ? undefined : toCanonical(new URL(result.url));
    if (result === undefined || canonical === undefined || seen.has(canonical)) continue;
    seen.add(canonical);
    results.push(result);
  }
  return results;
}

function toResult({ title, url, snippet, published, score }: FoundPage): FoundPage | undefined {
  const address = url.trim();
  if (address.length > maxUrlChars || !URL.canParse(address)) return undefined;
  const parsed = new URL(address);
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:") return undefined;
  // `https://bank.example@evil.example/` reads as the one and leads to the other.
  if (parsed.username !== "" || parsed.password !== "") return undefined;
  const date = published === null ? "" : toLine(published, maxDateChars);
  return {
    title: toLine(title, maxTitleChars),
    url: parsed.href,
    snippet: toShort(snippet.trim(), maxSnippetChars),
    published: date === "" ? null : date,
    score: score !== null && Number.isFinite(score) ? score : null,
  };
}

function toLine(text: string, maxChars: number): string {
  return toShort(text.replace(/\s+/g, " ").trim(), maxChars);
}

/**
 * Shortens a text; an ellipsis tells that there is more.
 *
 * @param text - The text.
 * @param maxChars - Most UTF-16 units of the outcome.
 * @returns The text, never ending in half of a character.
 */
function toShort(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** One spelling for one page: no scheme, `www.`, fragment, tracking, or slash at the end, and parameters in order. */
function toCanonical(url: URL): string {
  const params = [...url.searchParams]
    .filter(([name]) => !tracking.test(name))
    .map((pair) => JSON.stringify(pair))
    .toSorted();
  const host = url.host.replace(/^www\./, "");
  return `${host}${url.pathname.replace(/\/+$/, "")}?${params.join("&")}`;
}
