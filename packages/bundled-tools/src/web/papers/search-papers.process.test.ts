import type { ServerResponse } from "node:http";
import { findResultError, type JsonObject } from "@postern/tool";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openServices, sendJson, type Services } from "../../../fixtures/web/lookup.js";
import {
  toArxiv,
  toCrossref,
  toEuropePmc,
  toOpenAlex,
  toPubMed,
  toPubMedArticle,
  toSemanticScholar,
} from "../../../fixtures/web/paper-answers.js";
import { readAnswer } from "../../../fixtures/web/site.js";
import { readVersion } from "../../version.js";
import { searchPapersTool, type PapersSurroundings } from "./search-papers.js";

type Answers = Services["answers"];

const names = [
  "openalex",
  "crossref",
  "semantic-scholar",
  "europe-pmc",
  "pubmed",
  "arxiv",
] as const;

let services: Services;

beforeAll(async () => {
  services = await openServices();
});

afterAll(() => services[Symbol.asyncDispose]());

let askedBefore = 0;

beforeEach(() => {
  askedBefore = services.asked.length;
});

afterEach(() => {
  services.answers = {};
});

const asked = (): readonly string[] => services.asked.slice(askedBefore);

function makeTool(
  env: Readonly<Record<string, string>> = {},
  more: Partial<PapersSurroundings> = {},
): ReturnType<typeof searchPapersTool> {
  return searchPapersTool({
    ...services.around(env),
    endpoints: Object.fromEntries(names.map((name) => [name, services.at(name)])),
    intervalsMs: { "semantic-scholar": 0, pubmed: 0, arxiv: 0 },
    ...more,
  });
}

const search = (args: JsonObject = {}, more: Partial<PapersSurroundings> = {}) =>
  readAnswer(makeTool({}, more), { query: "gene therapy", ...args });

const titles = (answer: JsonObject): unknown =>
  (answer["results"] as readonly JsonObject[]).map(({ title, source }) => [title, source]);

const paper = { title: "A paper that has an abstract", doi: "10.1000/one", abstract: "Words." };
const bare = { title: "A paper that has no abstract", doi: "10.1000/bare" };

const openalex = (response: ServerResponse) => sendJson(response, toOpenAlex([paper]));
const crossref = (response: ServerResponse) => sendJson(response, toCrossref([paper]));

const good: Answers = {
  openalex: (_request, response) => openalex(response),
  crossref: (_request, response) => crossref(response),
  "semantic-scholar": (_request, response) => sendJson(response, toSemanticScholar([paper])),
  "europe-pmc": ({ params }, response) => {
    const part = params.get("query")?.endsWith("SRC:PPR") === true ? "PPR" : "MED";
    const title = part === "PPR" ? "A preprint of medicine, not yet reviewed" : paper.title;
    sendJson(response, toEuropePmc([{ ...paper, title, doi: `10.1000/${part}` }], part));
  },
  pubmed: ({ path }, response) =>
    path.endsWith("esearch.fcgi")
      ? sendJson(response, { esearchresult: { idlist: ["7"] } })
      : response.end(toPubMed([toPubMedArticle({ id: "7" })])),
  arxiv: (_request, response) =>
    response.end(
      toArxiv([{ title: "A preprint of physics, not yet reviewed", abstract: "Words." }]),
    ),
};

const fail =
  (status: number, headers: Readonly<Record<string, string>> = {}): Answers[string] =>
  (_request, response) =>
    response.writeHead(status, headers).end("no");

/** How a service can be of no use. */
const broken = {
  limited: { answer: fail(429), reason: "HTTP 429" },
  refusing: { answer: fail(403), reason: "HTTP 403" },
  failing: { answer: fail(502), reason: "HTTP 502" },
  garbled: {
    answer: (_request, response) => response.end("<html>maintenance"),
    reason: "its answer could not be understood",
  },
  hanging: { answer: () => undefined, reason: "no complete answer in time" },
  dripping: {
    answer: (_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
    },
    reason: "no complete answer in time",
  },
  "cut off": {
    answer: (_request, response) => {
      response.writeHead(200, { "content-length": "100" }).write("{");
      setTimeout(() => response.destroy(), 10);
    },
    reason: "the connection failed",
  },
  "without end": {
    answer: (_request, response) => response.end(Buffer.alloc(5 * 1024 * 1024, " ")),
    reason: "its answer is too large",
  },
} satisfies Readonly<Record<string, { readonly answer: Answers[string]; readonly reason: string }>>;

describe("search_papers", () => {
  it("gives what the first index finds, and asks no other", async () => {
    services.answers = good;
    expect(await search()).toEqual({
      query: "gene therapy",
      domain: "general",
      preprints: false,
      results: [
        {
          title: paper.title,
          authors: ["Ada Lovelace"],
          year: 2021,
          journal: "Nature",
          abstract: "Words.",
          doi: "10.1000/one",
          url: "https://doi.org/10.1000/one",
          peer_reviewed: true,
          source: "openalex",
        },
      ],
      note: "",
      error: "",
    });
    expect(asked()).toEqual(["openalex"]);
  });

  it("says honestly who it is, and whom to write to", async () => {
    services.answers = good;
    await readAnswer(makeTool({ POSTERN_MAILTO: "owner@example.org" }), { query: "x" });
    await readAnswer(makeTool({ POSTERN_MAILTO: "not an address" }), { query: "x" });
    const [first, second] = services.requests.slice(-2);
    expect(first?.headers["user-agent"]).toBe(`postern-web-search/${readVersion()}`);
    expect([first?.params.get("mailto"), second?.params.get("mailto")]).toEqual([
      "owner@example.org",
      null,
    ]);
  });

  it("begins each search with the next general index", async () => {
    services.answers = good;
    const tool = makeTool({ SEMANTIC_SCHOLAR_API_KEY: "s2-key" });
    for (let count = 0; count < 4; count += 1) await readAnswer(tool, { query: "x" });
    expect(asked()).toEqual(["openalex", "crossref", "semantic-scholar", "openalex"]);
  });

  it("asks the indexes of the life sciences first, then the others", async () => {
    services.answers = good;
    expect(titles(await search({ domain: "life-sciences" }))).toEqual([
      [paper.title, "europe-pmc"],
    ]);
    services.answers = { ...good, "europe-pmc": fail(500) };
    expect(titles(await search({ domain: "life-sciences" }))).toEqual([["Paper 7", "pubmed"]]);
    services.answers = {};
    await search({ domain: "life-sciences" });
    expect(asked()).toEqual([
      "europe-pmc",
      // One failed, then two requests to the next.
      "europe-pmc",
      "pubmed",
      "pubmed",
      // All failed.
      "europe-pmc",
      "pubmed",
      "openalex",
      "crossref",
    ]);
  });

  it("puts preprints after the reviewed papers, and leaves out those that were reviewed since", async () => {
    const since = { title: paper.title, abstract: "Earlier words." };
    services.answers = {
      ...good,
      arxiv: (_request, response) =>
        response.end(toArxiv([since, { title: "Another preprint altogether", abstract: "W." }])),
    };
    const answer = await search({ preprints: true });
    expect(titles(answer)).toEqual([
      [paper.title, "openalex"],
      ["Another preprint altogether", "arxiv"],
    ]);
    expect(answer["results"]).toMatchObject([{ peer_reviewed: true }, { peer_reviewed: false }]);
  });

  it("asks Europe PMC for preprints of the life sciences", async () => {
    services.answers = good;
    expect(titles(await search({ preprints: true, domain: "life-sciences" }))).toEqual([
      [paper.title, "europe-pmc"],
      ["A preprint of medicine, not yet reviewed", "europe-pmc"],
    ]);
  });

  it("gives at most so many of each kind", async () => {
    const many = Array.from({ length: 9 }, (_none, index) => ({
      title: `A paper with the number ${index}`,
      doi: `10.1000/${index}`,
      abstract: "Words.",
    }));
    services.answers = {
      openalex: (_request, response) => sendJson(response, toOpenAlex(many)),
      arxiv: (_request, response) =>
        response.end(
          toArxiv(
            many.map(({ abstract }, index) => ({
              title: `Draft with the number ${index}`,
              abstract,
            })),
          ),
        ),
    };
    const { results } = await search({ preprints: true, max_results: 2 });
    expect(results).toMatchObject([
      { peer_reviewed: true },
      { peer_reviewed: true },
      { peer_reviewed: false },
      { peer_reviewed: false },
    ]);
  });

  it("goes on while no paper has an abstract, and gives them when there is nothing better", async () => {
    services.answers = {
      ...good,
      openalex: (_request, response) => sendJson(response, toOpenAlex([bare])),
    };
    expect(titles(await search())).toEqual([[paper.title, "crossref"]]);
    services.answers = {
      ...services.answers,
      crossref: (_request, response) => sendJson(response, toCrossref([])),
    };
    expect(titles(await search())).toEqual([[bare.title, "openalex"]]);
  });

  it.each(Object.entries(broken))(
    "goes on at once when an index is %s, and says so",
    async (_how, { answer, reason }) => {
      services.answers = { ...good, openalex: answer };
      const start = performance.now();
      const found = await search({}, { timeoutMs: 3000 });
      expect(titles(found)).toEqual([[paper.title, "crossref"]]);
      expect(found["note"]).toBe(`openalex: ${reason}.`);
      expect(asked()).toEqual(["openalex", "crossref"]);
      expect(performance.now() - start).toBeLessThan(2500);
    },
  );

  it.each(["hanging", "dripping"] as const)(
    "never takes longer than there is time when all are %s",
    async (how) => {
      services.answers = Object.fromEntries(names.map((name) => [name, broken[how].answer]));
      const start = performance.now();
      const answer = await search({ domain: "life-sciences", preprints: true }, { timeoutMs: 800 });
      expect(performance.now() - start).toBeLessThan(1000);
      expect(answer).toMatchObject({ code: "PAPER_SOURCES_FAILED", results: [] });
      expect(new Set(asked())).toEqual(
        new Set(["europe-pmc", "pubmed", "openalex", "crossref", "arxiv"]),
      );
    },
  );

  it("counts the two requests to PubMed as one share", async () => {
    services.answers = {
      ...good,
      "europe-pmc": fail(500),
      pubmed: ({ path }, response) =>
        void setTimeout(() => good["pubmed"]?.({ path } as never, response), 300),
    };
    const start = performance.now();
    const answer = await search({ domain: "life-sciences" }, { timeoutMs: 1200 });
    expect(answer["note"]).toBe("europe-pmc: HTTP 500. pubmed: no complete answer in time.");
    expect(performance.now() - start).toBeLessThan(900);
  });

  it("counts waiting for a turn, and holds nobody up meanwhile", async () => {
    services.answers = good;
    const tool = makeTool({}, { intervalsMs: { arxiv: 60_000 }, timeoutMs: 2000 });
    await readAnswer(tool, { query: "x", preprints: true });
    const start = performance.now();
    const answer = await readAnswer(tool, { query: "x", preprints: true });
    expect(performance.now() - start).toBeLessThan(1000);
    expect(titles(answer)).toEqual([[paper.title, "crossref"]]);
    expect(answer["note"]).toBe("arxiv: its turn would come too late.");
  });

  it("keeps its distance between the two requests to PubMed", async () => {
    services.answers = { ...good, "europe-pmc": fail(500) };
    const start = performance.now();
    const answer = await search({ domain: "life-sciences" }, { intervalsMs: { pubmed: 340 } });
    expect(titles(answer)).toEqual([["Paper 7", "pubmed"]]);
    expect(performance.now() - start).toBeGreaterThanOrEqual(339);
  });

  it("leaves an index in peace that is over its limit, unless all are", async () => {
    services.answers = { ...good, openalex: fail(429, { "retry-after": "60" }) };
    const tool = makeTool();
    const ask = () => readAnswer(tool, { query: "x" });
    const notes = [(await ask())["note"], (await ask())["note"], (await ask())["note"]];
    expect(notes).toEqual([
      "openalex: HTTP 429.",
      "openalex: left out, as it was over its limit.",
      "openalex: left out, as it was over its limit.",
    ]);
    services.answers = { openalex: fail(429), crossref: fail(429) };
    expect(await ask()).toMatchObject({ code: "PAPER_SOURCES_FAILED" });
    services.answers = good;
    expect(titles(await ask())).toEqual([[paper.title, "openalex"]]);
    expect(asked()).toEqual([
      "openalex",
      "crossref",
      "crossref",
      "crossref",
      "crossref",
      "openalex",
    ]);
  });

  it("calls it no failure when the indexes have nothing", async () => {
    services.answers = { openalex: (_request, response) => sendJson(response, toOpenAlex([])) };
    expect(await search()).toMatchObject({
      results: [],
      note: "Nothing was found. Try fewer or other words. crossref: HTTP 500.",
      error: "",
    });
  });

  it("fails when no index answers, and says why of each", async () => {
    services.answers = { openalex: fail(429) };
    const result = await makeTool().run({ query: "gene therapy" });
    expect(findResultError(result)).toBeDefined();
    expect(result.structuredContent).toMatchObject({
      query: "gene therapy",
      results: [],
      error:
        "No source of papers answered. openalex: HTTP 429. crossref: HTTP 500. Try again later.",
      code: "PAPER_SOURCES_FAILED",
    });
  });

  it.each([" ", "?!", '""', "AND"])(
    "refuses the query %j before anybody is asked",
    async (query) => {
      services.answers = good;
      expect(await search({ query })).toMatchObject({
        query,
        code: "PAPER_QUERY_BLANK",
        results: [],
      });
      expect(asked()).toEqual([]);
    },
  );

  it("sends its key to nobody else, and believes nobody else", async () => {
    await using other = await openServices();
    other.answers = good;
    services.answers = {
      "semantic-scholar": fail(302, { location: other.at("semantic-scholar") }),
    };
    const answer = await readAnswer(makeTool({ SEMANTIC_SCHOLAR_API_KEY: "s2-secret-key" }), {
      query: "x",
    });
    expect(answer).toMatchObject({ code: "PAPER_SOURCES_FAILED" });
    expect(answer["error"]).toContain("semantic-scholar: it redirected to another origin.");
    expect(JSON.stringify(answer)).not.toContain("s2-secret-key");
    expect(other.requests.map(({ headers }) => headers["x-api-key"])).toEqual([undefined]);
  });

  it("ends when the call is cancelled", async () => {
    services.answers = { openalex: broken.hanging.answer };
    const answer = readAnswer(makeTool(), { query: "x" }, AbortSignal.timeout(50));
    expect(await answer).toMatchObject({ code: "CANCELLED" });
  });
});
