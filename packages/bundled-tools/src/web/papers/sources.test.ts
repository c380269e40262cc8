import { describe, expect, it } from "vitest";
import {
  toArxiv,
  toCrossref,
  toEuropePmc,
  toOpenAlex,
  toPubMed,
  toPubMedArticle,
  toSemanticScholar,
} from "../../../fixtures/web/paper-answers.js";
import type { Fetch } from "../search/lazy-fetch.js";
import { createPaperSources } from "./create-paper-sources.js";
import type { Paper } from "./paper.js";
import { parseTerms } from "./parse-terms.js";

interface Sent {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

const noIntervals = { "semantic-scholar": 0, pubmed: 0, arxiv: 0 };
const variables: Readonly<Record<string, string>> = {
  SEMANTIC_SCHOLAR_API_KEY: " s2-key ",
  POSTERN_MAILTO: "owner@example.org",
};

/** Asks the one source that answers: what it finds, and what it sent. */
async function ask(
  name: string,
  answers: unknown,
  query = "gene therapy",
): Promise<{ readonly papers: readonly Paper[]; readonly sent: readonly Sent[] }> {
  const sent: Sent[] = [];
  const bodies = Array.isArray(answers) ? [...(answers as readonly unknown[])] : [answers];
  const fetch: Fetch = async (url, { headers = {} }) => {
    sent.push({ url, headers });
    const body = bodies.shift();
    const data = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
    return {
      status: 200,
      headers: { get: () => null },
      url: url.href,
      redirects: [],
      body: (async function* () {
        yield data;
      })(),
      bytes: async () => ({ data, truncated: false }),
      close: async () => undefined,
    };
  };
  const sources = Object.values(createPaperSources(fetch, { intervalsMs: noIntervals })).flat();
  const source = sources.find((one) => one.name === name);
  const share = { signal: new AbortController().signal, deadlineMs: performance.now() + 5000 };
  const question = {
    terms: parseTerms(query),
    maxResults: 7,
    env: (variable: string) => variables[variable],
  };
  return { papers: (await source?.find(question, share)) ?? [], sent };
}

const param = ({ sent }: { readonly sent: readonly Sent[] }, name: string, index = 0) =>
  sent[index]?.url.searchParams.get(name);

const known = [{ title: "One <i>paper</i>", doi: "10.1000/one", abstract: "first word first" }];

describe("openalex", () => {
  it("asks for articles in journals, and reads them", async () => {
    const asked = await ask("openalex", toOpenAlex(known));
    expect(asked.sent[0]?.url.href).toBe(
      "https://api.openalex.org/works?search=gene+therapy&filter=type%3Aarticle%2Cprimary_location.source.type%3Ajournal&per-page=7&mailto=owner%40example.org",
    );
    expect(asked.papers).toEqual([
      {
        title: "One paper",
        authors: ["Ada Lovelace"],
        year: 2021,
        journal: "Nature",
        abstract: "first word first",
        doi: "10.1000/one",
        url: "https://doi.org/10.1000/one",
        peer_reviewed: true,
        source: "openalex",
      },
    ]);
  });

  it("reads what is not there as null, and takes its own page for an address", async () => {
    const { papers } = await ask("openalex", {
      results: [{ title: "T", id: "https://openalex.org/W9" }],
    });
    expect(papers).toMatchObject([
      {
        authors: [],
        year: null,
        journal: null,
        abstract: null,
        doi: null,
        url: "https://openalex.org/W9",
      },
    ]);
  });

  it("is not led astray by places of words that are none", async () => {
    const index = { b: [4_000_000_000], a: [1, "x"], c: "no", d: [Number.MAX_VALUE] };
    const { papers } = await ask("openalex", {
      results: [{ title: "T", abstract_inverted_index: index }],
    });
    expect(papers[0]?.abstract).toBe("a b d");
  });
});

describe("crossref", () => {
  it("asks for articles in journals, and reads them, groups too, without JATS", async () => {
    const asked = await ask("crossref", toCrossref(known), '"gene therapy" mice');
    expect([
      param(asked, "query"),
      param(asked, "filter"),
      param(asked, "rows"),
      param(asked, "mailto"),
    ]).toEqual(['"gene therapy" mice', "type:journal-article", "7", "owner@example.org"]);
    expect(asked.papers).toMatchObject([
      {
        title: "One paper",
        authors: ["Grace Hopper", "The COBOL Group"],
        year: 2020,
        abstract: "Abstract first word first",
      },
    ]);
  });

  it("does not give an SSRN preprint as a reviewed article", async () => {
    const items = [{ ...known[0]!, title: "SSRN", journal: "SSRN Electronic Journal" }, ...known];
    const { papers } = await ask("crossref", toCrossref(items));
    expect(papers.map(({ title }) => title)).toEqual(["One paper"]);
  });

  it("takes the next date for one that is not known yet", async () => {
    const item = {
      title: ["T"],
      issued: { "date-parts": [[null]] },
      created: { "date-parts": [[2017]] },
    };
    const { papers } = await ask("crossref", { message: { items: [item, { title: ["U"] }] } });
    expect(papers.map(({ year }) => year)).toEqual([2017, null]);
  });
});

describe("semantic-scholar", () => {
  it("asks with the key, without hyphens, for more than are wanted", async () => {
    const asked = await ask(
      "semantic-scholar",
      toSemanticScholar(known),
      "self-supervised learning",
    );
    expect(asked.sent[0]?.headers).toMatchObject({ "x-api-key": "s2-key" });
    expect([
      param(asked, "query"),
      param(asked, "publicationTypes"),
      param(asked, "limit"),
    ]).toEqual(["self supervised learning", "JournalArticle", "14"]);
    expect(asked.papers).toMatchObject([
      { title: "One paper", authors: ["Alan Turing"], year: 2018, journal: "Cell" },
    ]);
  });

  it("knows that nothing was found", async () => {
    expect((await ask("semantic-scholar", { total: 0, offset: 0 })).papers).toEqual([]);
  });
});

const hostile = 'cancer) OR (SRC:PPR OR AUTH:"Smith") NOT review[pt] ti:x* \\"';

describe("europe-pmc", () => {
  it("puts every term in quotes, so that no query widens the part that is searched", async () => {
    const asked = await ask("europe-pmc", toEuropePmc(known, "MED"), hostile);
    expect(param(asked, "query")).toBe(
      '("cancer" AND "SRC" AND "PPR" AND "AUTH" AND "Smith" AND "review" AND "pt" AND "ti" AND "x") AND SRC:MED',
    );
    expect([param(asked, "resultType"), param(asked, "pageSize"), param(asked, "format")]).toEqual([
      "core",
      "7",
      "json",
    ]);
  });

  it("reads authors, groups, the year and the page", async () => {
    const { papers } = await ask("europe-pmc", toEuropePmc([{ title: "T" }], "MED"));
    expect(papers).toMatchObject([
      {
        authors: ["Curie M", "The Radium Consortium"],
        year: 2019,
        journal: "The Lancet",
        url: "https://europepmc.org/article/MED/123",
        peer_reviewed: true,
        source: "europe-pmc",
      },
    ]);
  });

  it("gives preprints as such, with their server", async () => {
    const asked = await ask("europe-pmc-preprints", toEuropePmc(known, "PPR"));
    expect(param(asked, "query")).toBe('("gene" AND "therapy") AND SRC:PPR');
    expect(asked.papers).toMatchObject([{ journal: "bioRxiv", peer_reviewed: false }]);
  });

  it("reads authors that are one text", async () => {
    const result = { title: "T", authorString: "Curie M, Curie P." };
    const { papers } = await ask("europe-pmc", { resultList: { result: [result] } });
    expect(papers[0]?.authors).toEqual(["Curie M", "Curie P"]);
  });
});

const ids = (...idlist: readonly string[]) => ({ esearchresult: { count: "2", idlist } });

describe("pubmed", () => {
  it("keeps the order of the search, which is that of relevance", async () => {
    const articles = ["1", "2", "3"].map((id) => toPubMedArticle({ id }));
    const asked = await ask("pubmed", [ids("3", "1", "9", "2"), toPubMed(articles)]);
    expect(asked.papers.map(({ title }) => title)).toEqual(["Paper 3", "Paper 1", "Paper 2"]);
    expect([param(asked, "sort"), param(asked, "id", 1), param(asked, "email", 1)]).toEqual([
      "relevance",
      "3,1,9,2",
      "owner@example.org",
    ]);
  });

  it("reads group authors, and authors without a first name", async () => {
    const authors =
      "<Author><CollectiveName>The Group &amp; Co</CollectiveName></Author><Author><LastName>Doe</LastName><Initials>J</Initials></Author><Author/>";
    const asked = await ask("pubmed", [
      ids("1"),
      toPubMed([toPubMedArticle({ id: "1", authors })]),
    ]);
    expect(asked.papers[0]?.authors).toEqual(["The Group & Co", "J Doe"]);
  });

  it.each([
    { what: "of two months", date: "<MedlineDate>1998 Dec-1999 Jan</MedlineDate>", year: 1998 },
    { what: "of a season", date: "<MedlineDate>Winter 2003</MedlineDate>", year: 2003 },
    { what: "with a year", date: "<Year>2011</Year><Month>May</Month>", year: 2011 },
    { what: "that is none", date: "<MedlineDate>in press</MedlineDate>", year: null },
  ])("reads a date $what", async ({ date, year }) => {
    const asked = await ask("pubmed", [ids("1"), toPubMed([toPubMedArticle({ id: "1", date })])]);
    expect(asked.papers[0]?.year).toBe(year);
  });

  it("reads titles and abstracts with markup, sections and text that looks like markup", async () => {
    const parts = {
      id: "1",
      title: "The <i>in vivo</i> p&lt;b of H<sub>2</sub>O",
      abstract:
        '<AbstractText Label="METHODS">We <b>did</b>.</AbstractText><AbstractText>Done.</AbstractText>',
    };
    const asked = await ask("pubmed", [ids("1"), toPubMed([toPubMedArticle(parts)])]);
    expect(asked.papers[0]).toMatchObject({
      title: "The in vivo p<b of H2O",
      abstract: "METHODS: We did. Done.",
      journal: "The Journal",
      doi: "10.1000/p1",
      url: "https://pubmed.ncbi.nlm.nih.gov/1/",
    });
  });

  it("keeps the query out of its own condition", async () => {
    const asked = await ask("pubmed", [ids(), ""], hostile);
    expect(param(asked, "term")).toBe(
      "(cancer SRC PPR AUTH Smith review pt ti x) NOT preprint[pt]",
    );
    expect(asked.sent).toHaveLength(1);
  });

  it("drops a preprint that came all the same", async () => {
    const articles = [toPubMedArticle({ id: "1", type: "Preprint" }), toPubMedArticle({ id: "2" })];
    const asked = await ask("pubmed", [ids("1", "2"), toPubMed(articles)]);
    expect(asked.papers.map(({ title }) => title)).toEqual(["Paper 2"]);
  });

  it.each([{ esearchresult: { ERROR: "Search Backend failed" } }, { error: "API rate limit" }])(
    "fails for %j",
    async (answer) => {
      await expect(ask("pubmed", answer)).rejects.toMatchObject({
        code: "PAPER_SOURCE_FAILED",
        data: { reason: "it answered with an error" },
      });
    },
  );
});

describe("arxiv", () => {
  it("asks for every term in every field, and reads preprints", async () => {
    const asked = await ask(
      "arxiv",
      toArxiv([{ title: "If a&lt;b\n  then", abstract: "We show." }]),
    );
    expect(param(asked, "search_query")).toBe("all:gene AND all:therapy");
    expect(asked.papers).toEqual([
      {
        title: "If a<b then",
        authors: ["Emmy Noether", "The LIGO Collaboration"],
        year: 2022,
        journal: "arXiv",
        abstract: "We show.",
        doi: null,
        url: "https://arxiv.org/abs/2201.00000v1",
        peer_reviewed: false,
        source: "arxiv",
      },
    ]);
  });

  it("keeps phrases in quotes, and the query out of the syntax", async () => {
    const asked = await ask("arxiv", toArxiv([]), `"gene therapy" ANDNOT au:del_maestro it's`);
    expect(param(asked, "search_query")).toBe(
      `all:"gene therapy" AND all:au AND all:del AND all:maestro AND all:"it's"`,
    );
  });

  it("knows an error that comes as a success", async () => {
    const feed = toArxiv([]).replace(
      "</feed>",
      "<entry><id>http://arxiv.org/api/errors#incorrect_id</id><title>Error</title></entry></feed>",
    );
    await expect(ask("arxiv", feed)).rejects.toMatchObject({ code: "PAPER_SOURCE_FAILED" });
  });
});

describe("every source", () => {
  it.each(
    [
      "openalex",
      "crossref",
      "semantic-scholar",
      "europe-pmc",
      "europe-pmc-preprints",
      "pubmed",
      "arxiv",
    ].flatMap((name) =>
      ["", "null", "[]", "{}", '{"results":"no"}', "<html>", "\u0000"].map((body) => ({
        name,
        body,
      })),
    ),
  )("$name does not understand the answer $body", async ({ name, body }) => {
    await expect(ask(name, [body, body])).rejects.toMatchObject({
      code: "PAPER_SOURCE_FAILED",
      data: { reason: "its answer could not be understood" },
    });
  });

  it.each([
    {
      name: "openalex",
      answer: { results: [null, 7, "x", [], { title: 5 }, { authorships: {} }] },
    },
    { name: "crossref", answer: { message: { items: [null, 7, { title: "x", author: [null] }] } } },
    { name: "semantic-scholar", answer: { data: [null, { title: null, authors: [3] }] } },
    { name: "europe-pmc", answer: { resultList: { result: [null, { title: {}, doi: 4 }] } } },
  ])("$name passes over records that are none", async ({ name, answer }) => {
    expect((await ask(name, answer)).papers).toEqual([]);
  });
});
