import { findList, readObject, readText } from "../json-fields.js";
import type { PaperSource, SourceParts } from "../paper-source.js";
import { toPapers, type PaperRecord } from "../paper.js";
import { toQuotedTerm } from "../parse-terms.js";
import { createMalformed, readJsonService } from "../service.js";

/** Which part of Europe PMC is searched: what PubMed lists, or preprints. */
export type EuropePmcPart = "MED" | "PPR";

/** Makes the source Europe PMC. */
export function createEuropePmc({ fetch, url }: SourceParts, part: EuropePmcPart): PaperSource {
  return {
    name: part === "MED" ? "europe-pmc" : "europe-pmc-preprints",
    isAvailable: () => true,
    async find({ terms, maxResults }, share) {
      const params = {
        // In quotes, a term is never an operator or a field, so nothing widens the part that is searched.
        query: `(${terms.map(toQuotedTerm).join(" AND ")}) AND SRC:${part}`,
        format: "json",
        resultType: "core",
        pageSize: String(maxResults),
      };
      const answer = await readJsonService(fetch, { url, params }, share);
      const found = findList(readObject(answer, "resultList"), "result");
      if (found === undefined) throw createMalformed();
      const kind = { source: "europe-pmc", isReviewed: part === "MED", hasMarkup: true };
      return toPapers(found.map(toRecord), kind);
    },
  };
}

function toRecord(result: unknown): PaperRecord {
  const { journal, publisher } = readVenue(result);
  const id = [readText(result, "source"), readText(result, "id")];
  return {
    title: readText(result, "title"),
    authors: readAuthors(result),
    date: readText(result, "pubYear", "firstPublicationDate"),
    // The server of a preprint is its publisher.
    journal: journal || publisher,
    abstract: readText(result, "abstractText"),
    doi: readText(result, "doi"),
    urls: id.includes("")
      ? []
      : [`https://europepmc.org/article/${id.map(encodeURIComponent).join("/")}`],
  };
}

function readVenue(result: unknown): { readonly journal: string; readonly publisher: string } {
  return {
    journal: readText(readObject(readObject(result, "journalInfo"), "journal"), "title"),
    publisher: readText(readObject(result, "bookOrReportDetails"), "publisher"),
  };
}

function readAuthors(result: unknown): readonly string[] {
  const list = findList(readObject(result, "authorList"), "author");
  if (list !== undefined)
    return list.map((author) => readText(author, "fullName", "collectiveName", "lastName"));
  return readText(result, "authorString").replace(/\.$/, "").split(", ");
}
