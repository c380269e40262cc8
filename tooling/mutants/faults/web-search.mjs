const folder = "packages/bundled-tools/src/web/search";
const poolTest = `${folder}/search-pool.test.ts`;

/** One fault for each item that the search of the web answers for, and the test that finds it. */
export const faults = [
  {
    item: "W-W4",
    what: "a provider that failed is asked three times",
    file: `${folder}/search-pool.ts`,
    find: "for (const [at, { provider, limitId }] of asked.entries()) {",
    replace:
      "for (const [at, { provider, limitId }] of asked.flatMap((one) => [one, one, one]).entries()) {",
    test: poolTest,
    name: "createSearchPool() asks a provider once, however it fails, and then the next",
  },
  {
    item: "W-W4",
    what: "whoever hangs takes all the time there is",
    file: `${folder}/search-pool.ts`,
    find: "(end - performance.now()) / (asked.length - at),",
    replace: "end - performance.now(),",
    test: poolTest,
    name: "createSearchPool() gives whoever hangs only its share of the time, and the last all that is left",
  },
  {
    item: "W-W4",
    what: "a rate-limited provider is asked again at the next search",
    file: `${folder}/search-pool.ts`,
    find: "rests.add(limitId, turn.error);",
    replace: "",
    test: poolTest,
    name: "createSearchPool() leaves a rate-limited provider alone for as long as it wants",
  },
  {
    item: "W-W4",
    what: "an error result counts as an answer",
    file: `${folder}/call-hosted-tool.ts`,
    find: 'if (result["isError"] === true) throw toRefusal(call.hide(text));',
    replace: "",
    test: `${folder}/web-search.process.test.ts`,
    name: "web_search takes an error result as a failure, whatever it holds",
  },
  {
    item: "W-W4",
    what: "max_results is left to the provider",
    file: `${folder}/to-results.ts`,
    find: "if (results.length >= maxResults) break;",
    replace: "void maxResults;",
    test: `${folder}/to-results.test.ts`,
    name: "toResults() gives no more than was asked for",
  },
  {
    item: "W-W4",
    what: "providers that the owner pays for come last",
    file: `${folder}/search-pool.ts`,
    find: 'return [...keyed, ...candidates.filter(({ access }) => access !== "keyed")];',
    replace: 'return [...candidates.filter(({ access }) => access !== "keyed"), ...keyed];',
    test: poolTest,
    name: "createSearchPool() asks providers with a key first, each in the given order",
  },
  {
    item: "W-W4",
    what: "one page is given as often as it was found",
    file: `${folder}/to-results.ts`,
    find: "seen.add(canonical);",
    replace: "",
    test: `${folder}/to-results.test.ts`,
    name: "toResults() gives each page once, whatever hangs on its URL",
  },
];
