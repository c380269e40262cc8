import { describe, expect, it } from "vitest";
import { mergePapers } from "./merge-papers.js";
import type { Paper } from "./paper.js";

const paper = (parts: Partial<Paper>): Paper => ({
  title: "A long enough title of a paper",
  authors: [],
  year: 2020,
  journal: null,
  abstract: null,
  doi: null,
  url: null,
  peer_reviewed: true,
  source: "one",
  ...parts,
});
const preprint = (parts: Partial<Paper>): Paper =>
  paper({ peer_reviewed: false, source: "other", ...parts });

describe("mergePapers()", () => {
  it.each([
    { why: "one DOI", a: { doi: "10.1000/A", title: "X" }, b: { doi: "10.1000/a", title: "Y" } },
    { why: "one title", a: { doi: "10.1000/a" }, b: { title: "A Long Enough: Title of a paper." } },
    { why: "a title and DOIs of two kinds", a: { doi: "10.1000/a" }, b: { doi: "10.2000/b" } },
    { why: "a short title and a year", a: { title: "Reply" }, b: { title: "reply" } },
  ])("takes two for one by $why", ({ a, b }) => {
    expect(mergePapers([paper(a)], [preprint(b)])).toEqual([paper(a)]);
  });

  it.each([
    { why: "two DOIs of one kind", a: { doi: "10.1000/a" }, b: { doi: "10.1000/b" } },
    { why: "two titles", a: { title: "First" }, b: { title: "Second" } },
    { why: "a short title and two years", a: { title: "Reply", year: 1 }, b: { title: "Reply" } },
  ])("keeps two apart by $why", ({ a, b }) => {
    expect(mergePapers([paper(a), paper(b)])).toHaveLength(2);
  });

  it("gives the first the abstract and the year that it lacks", () => {
    const first = paper({ year: null, journal: "Nature" });
    expect(mergePapers([first], [preprint({ abstract: "Words.", journal: "arXiv" })])).toEqual([
      { ...first, year: 2020, abstract: "Words." },
    ]);
  });
});
