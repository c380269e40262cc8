import { isJsonObject } from "@postern/tool";
import { findList, readObject, readText } from "../json-fields.js";
import { findMailto, type PaperSource, type SourceParts } from "../paper-source.js";
import { toPapers, type PaperRecord } from "../paper.js";
import { toFreeText } from "../parse-terms.js";
import { createMalformed, readJsonService } from "../service.js";

/** More words than any abstract has. */
const maxWords = 5000;

/** Makes the source OpenAlex: articles in journals. */
export function createOpenAlex({ fetch, url }: SourceParts): PaperSource {
  return {
    name: "openalex",
    isAvailable: () => true,
    async find({ terms, maxResults, env }, share) {
      const params = {
        search: toFreeText(terms),
        filter: "type:article,primary_location.source.type:journal",
        "per-page": String(maxResults),
        mailto: findMailto(env),
      };
      const works = findList(await readJsonService(fetch, { url, params }, share), "results");
      if (works === undefined) throw createMalformed();
      return toPapers(works.map(toRecord), {
        source: "openalex",
        isReviewed: true,
        hasMarkup: true,
      });
    },
  };
}

function toRecord(work: unknown): PaperRecord {
  const place = readObject(work, "primary_location");
  const authorships = findList(work, "authorships") ?? [];
  return {
    title: readText(work, "title", "display_name"),
    authors: authorships.map((one) => readText(readObject(one, "author"), "display_name")),
    date: readYear(work),
    journal: readText(readObject(place, "source"), "display_name"),
    abstract: toAbstract(readObject(work, "abstract_inverted_index")),
    doi: readText(work, "doi"),
    urls: [readText(place, "landing_page_url"), readText(work, "id")],
  };
}

function readYear(work: unknown): number | undefined {
  const year = isJsonObject(work) ? work["publication_year"] : undefined;
  return typeof year === "number" ? year : undefined;
}

/** An abstract is given as its words, each with its places. */
function toAbstract(index: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(index).flatMap(([word, places]) =>
    Array.isArray(places)
      ? places.filter((place) => typeof place === "number").map((place) => ({ word, place }))
      : [],
  );
  return words
    .toSorted((one, other) => one.place - other.place)
    .slice(0, maxWords)
    .map(({ word }) => word)
    .join(" ");
}
