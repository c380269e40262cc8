import { describe, expect, it } from "vitest";
import { findDoi, findYear, toDoiUrl, toPapers, type PaperRecord } from "./paper.js";

const record: PaperRecord = {
  title: "A <i>title</i> &amp; more",
  authors: ["Ada  Lovelace", " "],
  date: "2003 Winter",
  journal: "Nature",
  abstract: "",
  doi: "https://doi.org/10.1000/a/b(c)",
  urls: ["javascript:alert(1)", ""],
};
const kind = { source: "any", isReviewed: true, hasMarkup: true };

describe("findDoi()", () => {
  it.each([
    { text: "10.1000/xyz/1", doi: "10.1000/xyz/1" },
    { text: " https://doi.org/10.1000/a/b ", doi: "10.1000/a/b" },
    { text: "http://dx.doi.org/10.1000/a", doi: "10.1000/a" },
    { text: "DOI: 10.1000.10/123", doi: "10.1000.10/123" },
    { text: "https://doi.org/", doi: null },
    { text: "10.1000", doi: null },
    { text: "10.1000/a b", doi: null },
    { text: "", doi: null },
  ])("finds $doi in $text", ({ text, doi }) => {
    expect(findDoi(text)).toBe(doi);
  });
});

describe("findYear()", () => {
  it.each([
    { date: 1998, year: 1998 },
    { date: "1998 Dec-1999 Jan", year: 1998 },
    { date: "Winter 2003", year: 2003 },
    { date: "2020-05-01", year: 2020 },
    { date: "12003", year: null },
    { date: "in press", year: null },
    { date: undefined, year: null },
  ])("finds $year in $date", ({ date, year }) => {
    expect(findYear(date)).toBe(year);
  });
});

describe("toPapers()", () => {
  it("makes a paper of what a source says", () => {
    expect(toPapers([record], kind)).toEqual([
      {
        title: "A title & more",
        authors: ["Ada Lovelace"],
        year: 2003,
        journal: "Nature",
        abstract: null,
        doi: "10.1000/a/b(c)",
        url: "https://doi.org/10.1000/a/b(c)",
        peer_reviewed: true,
        source: "any",
      },
    ]);
  });

  it("leaves text alone that is no markup", () => {
    const [paper] = toPapers([{ ...record, title: "If a<b and c>d &amp; e" }], {
      ...kind,
      hasMarkup: false,
    });
    expect(paper?.title).toBe("If a<b and c>d &amp; e");
  });

  it("does not call reviewed what a preprint server published", () => {
    const records = [
      { ...record, journal: "SSRN Electronic Journal" },
      { ...record, journal: "arXiv (Cornell University)" },
      { ...record, journal: "medRxiv" },
      { ...record, journal: "Research Square" },
      { ...record, journal: "Preprints.org" },
      { ...record, journal: "", doi: "10.48550/arXiv.2101.00001" },
      { ...record, journal: "", doi: "10.2139/ssrn.1" },
      { ...record, title: "Kept" },
    ];
    expect(toPapers(records, kind).map(({ title }) => title)).toEqual(["Kept"]);
    expect(toPapers(records, { ...kind, isReviewed: false })).toHaveLength(8);
  });

  it("drops what has no title, and limits every field", () => {
    const long = "word ".repeat(2000);
    const [paper, ...rest] = toPapers(
      [
        { ...record, title: " " },
        {
          ...record,
          title: long,
          abstract: long,
          authors: Array.from({ length: 150 }, () => long),
        },
      ],
      kind,
    );
    expect(rest).toEqual([]);
    expect(paper?.abstract).toHaveLength(2000);
    expect(paper?.abstract?.endsWith("…")).toBe(true);
    expect([paper?.title.length, paper?.authors.length, paper?.authors[0]?.length]).toEqual([
      1000, 100, 200,
    ]);
  });

  it("spells a DOI so that its address leads there", () => {
    expect(toDoiUrl("10.1000/a<b>#c/d")).toBe("https://doi.org/10.1000/a%3Cb%3E%23c/d");
  });
});
