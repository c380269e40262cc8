import { toLine, toPlainText, toShort } from "./plain-text.js";

/** One paper that a source found. */
export interface Paper {
  readonly title: string;
  readonly authors: readonly string[];
  readonly year: number | null;
  readonly journal: string | null;
  readonly abstract: string | null;
  /** "10.…/…", as registered. */
  readonly doi: string | null;
  readonly url: string | null;
  readonly peer_reviewed: boolean;
  /** Who found it. */
  readonly source: string;
}

/** Whose papers they are. */
export interface SourceKind {
  readonly source: string;
  /** Whether it gives papers that were reviewed, or preprints. */
  readonly isReviewed: boolean;
  /** Whether its texts are pieces of HTML or JATS. What was read from XML is text already: "a<b" is no tag there. */
  readonly hasMarkup: boolean;
}

/** A paper as a source describes it; empty texts for what it does not say. */
export interface PaperRecord {
  readonly title: string;
  readonly authors: readonly string[];
  /** A year, or a date in words. */
  readonly date: string | number | undefined;
  readonly journal: string;
  readonly abstract: string;
  readonly doi: string;
  /** Addresses, the best first. */
  readonly urls: readonly string[];
}

const maxTitleChars = 1000;
const maxAuthors = 100;
const maxNameChars = 200;
const maxAbstractChars = 2000;
const maxUrlChars = 2000;
/** So much of a text is looked at. */
const maxSourceChars = 50_000;

/**
 * Makes papers of what a source found. What has no title is none; what a preprint server published is not reviewed,
 * whatever the source's filter let through: SSRN, for one, registers its preprints as articles of a journal.
 *
 * @param records - What the source found.
 * @param kind - Whose they are.
 * @returns The papers, in the source's order.
 */
export function toPapers(records: readonly PaperRecord[], kind: SourceKind): readonly Paper[] {
  return records
    .filter((record) => !kind.isReviewed || !isPreprint(record))
    .map((record) => toPaper(record, kind))
    .filter(({ title }) => title !== "");
}

/** Servers of preprints, by the name of the venue, and by the DOIs that only they register. */
const preprintVenue = /rxiv|research square|preprints\.org|ssrn/i;
const preprintDoi = /^10\.(?:48550\/arxiv|2139\/ssrn|21203\/rs\.|20944\/preprints)/i;

function isPreprint({ journal, doi }: PaperRecord): boolean {
  return preprintVenue.test(journal) || preprintDoi.test(findDoi(doi) ?? "");
}

function toPaper(record: PaperRecord, { source, isReviewed, hasMarkup }: SourceKind): Paper {
  const toText = (said: string): string =>
    hasMarkup ? toPlainText(said.slice(0, maxSourceChars)) : toLine(said.slice(0, maxSourceChars));
  const doi = findDoi(record.doi);
  const names = record.authors
    .slice(0, maxAuthors)
    .map((name) => toShort(toText(name), maxNameChars));
  const addresses = [...record.urls, ...(doi === null ? [] : [toDoiUrl(doi)])];
  return {
    title: toShort(toText(record.title), maxTitleChars),
    authors: names.filter((name) => name !== ""),
    year: findYear(record.date),
    journal: toShort(toText(record.journal), maxTitleChars) || null,
    abstract: toShort(toText(record.abstract), maxAbstractChars, "…") || null,
    doi,
    url: addresses.find(isWebUrl) ?? null,
    peer_reviewed: isReviewed,
    source,
  };
}

/**
 * Finds the DOI in what a source calls one; only the prefix goes, for a DOI may hold slashes of its own.
 *
 * @returns Null for what is none.
 */
export function findDoi(text: string): string | null {
  const doi = toLine(text).replace(/^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:\s*)/i, "");
  return /^10\.\d{4,9}(?:\.\d+)*\/\S{1,300}$/.test(doi) ? doi : null;
}

/** The address that leads to a DOI. */
export function toDoiUrl(doi: string): string {
  return `https://doi.org/${doi.split("/").map(encodeURIComponent).join("/")}`;
}

/**
 * Finds the year of a date: a number, "2003", "2003 Winter", "1998 Dec-1999 Jan". Of several, the first.
 *
 * @returns Null when there is none from 1500 on.
 */
export function findYear(date: string | number | undefined): number | null {
  const year = /(?<!\d)(?:1[5-9]|20)\d\d(?!\d)/.exec(String(date ?? ""))?.[0];
  return year === undefined ? null : Number(year);
}

function isWebUrl(text: string): boolean {
  return text.length <= maxUrlChars && /^https?:\/\//i.test(text) && URL.canParse(text);
}
