import { findList, readObject, readText } from "../json-fields.js";
import { findMailto, type PaperSource, type SourceParts } from "../paper-source.js";
import { toPapers, type PaperRecord } from "../paper.js";
import { toFreeText } from "../parse-terms.js";
import { createMalformed, readJsonService } from "../service.js";

/** Makes the source Crossref: articles in journals, as publishers register them. */
export function createCrossref({ fetch, url }: SourceParts): PaperSource {
  return {
    name: "crossref",
    isAvailable: () => true,
    async find({ terms, maxResults, env }, share) {
      const params = {
        query: toFreeText(terms),
        filter: "type:journal-article",
        rows: String(maxResults),
        mailto: findMailto(env),
      };
      const answer = await readJsonService(fetch, { url, params }, share);
      const items = findList(readObject(answer, "message"), "items");
      if (items === undefined) throw createMalformed();
      return toPapers(items.map(toRecord), {
        source: "crossref",
        isReviewed: true,
        hasMarkup: true,
      });
    },
  };
}

function toRecord(item: unknown): PaperRecord {
  const authors = findList(item, "author") ?? [];
  return {
    title: readFirst(item, "title"),
    authors: authors.map(toName),
    date: findDate(item),
    journal: readFirst(item, "container-title"),
    abstract: readText(item, "abstract"),
    doi: readText(item, "DOI"),
    urls: [readText(item, "URL")],
  };
}

/** Titles are lists; the first is the title, the others are translations. */
function readFirst(item: unknown, key: string): string {
  const first = findList(item, key)?.[0];
  return typeof first === "string" ? first : "";
}

/** A group has a name and no family. */
function toName(author: unknown): string {
  const whole = [readText(author, "given"), readText(author, "family")].filter((part) => part);
  return whole.length > 0 ? whole.join(" ") : readText(author, "name");
}

/** A date is `[[year, month, day]]`, and "issued" of one that is not known yet is `[[null]]`. */
function findDate(item: unknown): number | undefined {
  for (const key of ["issued", "published-print", "published-online", "published", "created"]) {
    const parts = findList(readObject(item, key), "date-parts")?.[0];
    const year: unknown = Array.isArray(parts) ? parts[0] : undefined;
    if (typeof year === "number") return year;
  }
  return undefined;
}
