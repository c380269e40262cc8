import { isJsonObject } from "@postern/tool";
import type { ReadVariable } from "../../../root-user.js";
import { findList, readObject, readText } from "../json-fields.js";
import type { PaperSource, SourceParts } from "../paper-source.js";
import { toPapers, type PaperRecord } from "../paper.js";
import { createMalformed, readJsonService } from "../service.js";
import { createThrottle } from "../throttle.js";

const keyVariable = "SEMANTIC_SCHOLAR_API_KEY";
const fields = "title,abstract,year,venue,journal,authors,externalIds,url";

/** Makes the source Semantic Scholar: articles in journals; only with the owner's key. */
export function createSemanticScholar({ fetch, url, intervalMs }: SourceParts): PaperSource {
  const throttle = createThrottle(intervalMs);
  return {
    name: "semantic-scholar",
    isAvailable: (env) => readKey(env) !== "",
    async find({ terms, maxResults, env }, share) {
      await throttle.wait(share);
      const params = {
        // It finds nothing for a word with a hyphen.
        query: terms.join(" ").replaceAll("-", " "),
        publicationTypes: "JournalArticle",
        // More than are wanted: what preprint servers published goes.
        limit: String(Math.min(2 * maxResults, 100)),
        fields,
      };
      const request = { url, params, headers: { "x-api-key": readKey(env) }, isKeyed: true };
      const answer = await readJsonService(fetch, request, share);
      const found = findList(answer, "data");
      // Without a result it leaves "data" out.
      if (found === undefined && !(isJsonObject(answer) && answer["total"] === 0))
        throw createMalformed();
      return toPapers((found ?? []).map(toRecord), {
        source: "semantic-scholar",
        isReviewed: true,
        hasMarkup: true,
      });
    },
  };
}

function readKey(env: ReadVariable): string {
  return env(keyVariable)?.trim() ?? "";
}

function toRecord(paper: unknown): PaperRecord {
  const year = isJsonObject(paper) ? paper["year"] : undefined;
  return {
    title: readText(paper, "title"),
    authors: (findList(paper, "authors") ?? []).map((author) => readText(author, "name")),
    date: typeof year === "number" ? year : undefined,
    journal: readText(readObject(paper, "journal"), "name") || readText(paper, "venue"),
    abstract: readText(paper, "abstract"),
    doi: readText(readObject(paper, "externalIds"), "DOI"),
    urls: [readText(paper, "url")],
  };
}
