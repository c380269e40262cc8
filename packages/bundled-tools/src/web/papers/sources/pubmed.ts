import { isJsonObject } from "@postern/tool";
import { paperErrors } from "../errors.js";
import { findList, readObject, readText } from "../json-fields.js";
import {
  findMailto,
  type PaperQuestion,
  type PaperSource,
  type SourceParts,
} from "../paper-source.js";
import { toPapers, type Paper, type PaperRecord } from "../paper.js";
import { toFreeText } from "../parse-terms.js";
import { findAll, readXml, readXmlText, type XmlElement } from "../read-xml.js";
import { createMalformed, readJsonService, readService } from "../service.js";
import type { Share } from "../share.js";
import { createThrottle } from "../throttle.js";

/** Makes the source PubMed: one request for the papers that fit best, another for what they are. */
export function createPubMed({ fetch, url, intervalMs }: SourceParts): PaperSource {
  const throttle = createThrottle(intervalMs);
  const findIds = async (question: PaperQuestion, share: Share): Promise<readonly string[]> => {
    await throttle.wait(share);
    const params = {
      ...toShared(question),
      retmode: "json",
      retmax: String(question.maxResults),
      sort: "relevance",
      // Terms have no bracket, so none is a field, and our own condition stays outside of them.
      term: `(${toFreeText(question.terms)}) NOT preprint[pt]`,
    };
    return parseIds(await readJsonService(fetch, { url: `${url}/esearch.fcgi`, params }, share));
  };
  return {
    name: "pubmed",
    isAvailable: () => true,
    async find(question, share) {
      const ids = await findIds(question, share);
      if (ids.length === 0) return [];
      await throttle.wait(share);
      const params = { ...toShared(question), retmode: "xml", id: ids.join(",") };
      const text = await readService(fetch, { url: `${url}/efetch.fcgi`, params }, share);
      return toOrdered(await readXml(text, share.signal), ids);
    },
  };
}

/** NCBI wants to know who asks, by name and by mail. */
function toShared({ env }: PaperQuestion): Readonly<Record<string, string | undefined>> {
  return { db: "pubmed", tool: "postern", email: findMailto(env) };
}

function parseIds(answer: unknown): readonly string[] {
  const result = readObject(answer, "esearchresult");
  const problem = readText(result, "ERROR") || readText(answer, "error");
  if (problem !== "")
    throw paperErrors.PAPER_SOURCE_FAILED({ reason: "it answered with an error" });
  const ids = findList(result, "idlist");
  if (!isJsonObject(answer) || ids === undefined) throw createMalformed();
  return ids.filter((id) => typeof id === "string").filter((id) => /^\d{1,12}$/.test(id));
}

/** Records come in an order of their own; that of the search is the one by relevance. */
function toOrdered(root: XmlElement, ids: readonly string[]): readonly Paper[] {
  if (root.name !== "PubmedArticleSet") throw createMalformed();
  const byId = new Map(
    findAll(root, "PubmedArticle").map((article) => [
      readXmlText(article, "MedlineCitation", "PMID"),
      article,
    ]),
  );
  const articles = ids.map((id) => byId.get(id)).filter((article) => article !== undefined);
  return toPapers(articles.filter((article) => !isPreprint(article)).map(toRecord), {
    source: "pubmed",
    isReviewed: true,
    hasMarkup: false,
  });
}

function isPreprint(article: XmlElement): boolean {
  const path = ["MedlineCitation", "Article", "PublicationTypeList", "PublicationType"];
  return findAll(article, ...path).some((type) => readXmlText(type) === "Preprint");
}

function toRecord(whole: XmlElement): PaperRecord {
  const article = findAll(whole, "MedlineCitation", "Article")[0] ?? whole;
  return {
    title: readXmlText(article, "ArticleTitle") || readXmlText(article, "VernacularTitle"),
    authors: findAll(article, "AuthorList", "Author").map(toName),
    date: readDate(article),
    journal:
      readXmlText(article, "Journal", "Title") ||
      readXmlText(article, "Journal", "ISOAbbreviation"),
    abstract: findAll(article, "Abstract", "AbstractText").map(toSection).join(" "),
    doi: findDoiText(whole, article),
    urls: [`https://pubmed.ncbi.nlm.nih.gov/${readXmlText(whole, "MedlineCitation", "PMID")}/`],
  };
}

function toName(author: XmlElement): string {
  const last = readXmlText(author, "LastName");
  const first = readXmlText(author, "ForeName") || readXmlText(author, "Initials");
  const person = [first, last].filter((part) => part !== "").join(" ");
  return person === "" ? readXmlText(author, "CollectiveName") : person;
}

/** A year, or free text such as "1998 Dec-1999 Jan". */
function readDate(article: XmlElement): string {
  const date = ["Journal", "JournalIssue", "PubDate"];
  return (
    readXmlText(article, ...date, "Year") ||
    readXmlText(article, ...date, "MedlineDate") ||
    readXmlText(article, "ArticleDate", "Year")
  );
}

function toSection(section: XmlElement): string {
  const label = section.attributes["Label"] ?? "";
  const text = readXmlText(section);
  return label === "" ? text : `${label}: ${text}`;
}

/** Of the paper itself: the papers that it cites have lists of identifiers too, further down. */
function findDoiText(whole: XmlElement, article: XmlElement): string {
  const ids = [
    ...findAll(whole, "PubmedData", "ArticleIdList", "ArticleId").filter(
      ({ attributes }) => attributes["IdType"] === "doi",
    ),
    ...findAll(article, "ELocationID").filter(({ attributes }) => attributes["EIdType"] === "doi"),
  ];
  return ids[0] === undefined ? "" : readXmlText(ids[0]);
}
