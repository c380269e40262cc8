const sourcesTest = "packages/bundled-tools/src/web/papers/sources.test.ts";
const pubmed = "packages/bundled-tools/src/web/papers/sources/pubmed.ts";

/** One fault for each item that the paper search answers for, and the test that finds it. */
export const faults = [
  {
    item: "W-W6b",
    what: "the query goes to the indexes as it is",
    file: "packages/bundled-tools/src/web/papers/parse-terms.ts",
    find: 'return terms.filter((term) => term !== "");',
    replace: "return [query];",
    test: sourcesTest,
    name: "pubmed keeps the query out of its own condition",
  },
  {
    item: "W-W6b",
    what: "Europe PMC gets the terms without quotes, so that an operator or a field is one",
    file: "packages/bundled-tools/src/web/papers/sources/europe-pmc.ts",
    find: 'terms.map(toQuotedTerm).join(" AND ")',
    replace: 'terms.join(" AND ")',
    test: sourcesTest,
    name: "europe-pmc puts every term in quotes, so that no query widens the part that is searched",
  },
  {
    item: "31",
    what: "papers of PubMed come in the order of its records, and not of its search",
    file: pubmed,
    find: "ids.map((id) => byId.get(id))",
    replace: "[...byId.values()]",
    test: sourcesTest,
    name: "pubmed keeps the order of the search, which is that of relevance",
  },
  {
    item: "31",
    what: "only persons are authors",
    file: pubmed,
    find: 'return person === "" ? readXmlText(author, "CollectiveName") : person;',
    replace: "return person;",
    test: sourcesTest,
    name: "pubmed reads group authors, and authors without a first name",
  },
  {
    item: "31",
    what: "a date is a year or nothing",
    file: pubmed,
    find: 'readXmlText(article, ...date, "MedlineDate") ||',
    replace: "",
    test: sourcesTest,
    name: "pubmed reads a date 'of two months'",
  },
  {
    item: "32",
    what: "what the filter of an index lets through counts as reviewed",
    file: "packages/bundled-tools/src/web/papers/paper.ts",
    find: "!kind.isReviewed || !isPreprint(record)",
    replace: "true",
    test: sourcesTest,
    name: "crossref does not give an SSRN preprint as a reviewed article",
  },
];
