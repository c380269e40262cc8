import { paperErrors } from "../errors.js";
import type { PaperSource, SourceParts } from "../paper-source.js";
import { toPapers, type PaperRecord } from "../paper.js";
import { toQuotedTerm } from "../parse-terms.js";
import { findAll, readXml, readXmlText, type XmlElement } from "../read-xml.js";
import { createMalformed, readService } from "../service.js";
import { createThrottle } from "../throttle.js";

/** Makes the source arXiv: preprints. */
export function createArxiv({ fetch, url, intervalMs }: SourceParts): PaperSource {
  const throttle = createThrottle(intervalMs);
  return {
    name: "arxiv",
    isAvailable: () => true,
    async find({ terms, maxResults }, share) {
      await throttle.wait(share);
      const params = {
        search_query: terms.map(toField).join(" AND "),
        start: "0",
        max_results: String(maxResults),
        sortBy: "relevance",
        sortOrder: "descending",
      };
      const root = await readXml(await readService(fetch, { url, params }, share), share.signal);
      if (root.name !== "feed") throw createMalformed();
      const entries = findAll(root, "entry");
      // It answers a query that it refuses with a success, and one entry.
      if (entries.some((entry) => readXmlText(entry, "id").includes("/api/errors")))
        throw paperErrors.PAPER_SOURCE_FAILED({ reason: "it answered with an error" });
      return toPapers(entries.map(toRecord), {
        source: "arxiv",
        isReviewed: false,
        hasMarkup: false,
      });
    },
  };
}

function toField(term: string): string {
  return `all:${/^[\p{L}\p{M}\p{N}-]+$/u.test(term) ? term : toQuotedTerm(term)}`;
}

function toRecord(entry: XmlElement): PaperRecord {
  return {
    title: readXmlText(entry, "title"),
    authors: findAll(entry, "author").map((author) => readXmlText(author, "name")),
    date: readXmlText(entry, "published").slice(0, 4),
    journal: "arXiv",
    abstract: readXmlText(entry, "summary"),
    doi: readXmlText(entry, "doi"),
    urls: [readXmlText(entry, "id").replace(/^http:/, "https:")],
  };
}
