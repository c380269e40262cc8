import { createSafeFetch } from "@postern/safe-fetch";
import { describe, expect, it } from "vitest";
import { searchProviderContract, type FoundPage } from "../../testing.js";
import { createRootFolder } from "../../files/root-folder.js";
import { createSearchProviders } from "./web-search.js";

type Pages = readonly Pick<FoundPage, "title" | "url" | "snippet">[];

const toJson = (value: unknown): string => JSON.stringify(value);

function toReply(text: string): string {
  return toJson({ jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text }] } });
}

/** As a careless server streams: comments, CRLF, data of several lines, other messages, junk and `[DONE]`. */
function toStream(text: string): string {
  const [first = "", ...rest] = JSON.stringify(JSON.parse(toReply(text)), undefined, 1).split("\n");
  const lines = [
    ": welcome",
    "event: message",
    'data: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}',
    "",
    "data: junk {",
    "",
    `data:${first}`,
    ...rest.map((line) => `data: ${line}`),
    "",
    "data: [DONE]",
    "",
  ];
  return lines.join("\r\n");
}

function toBlocks(pages: Pages): string {
  if (pages.length === 0) return "No search results found. Please try a different query.";
  return pages
    .map(
      ({ title, url, snippet }) =>
        `Title: ${title}\nURL: ${url}\nPublished: N/A\nAuthor: N/A\nHighlights:\n${snippet}\n\n---\n\n`,
    )
    .join("");
}

const described = (pages: Pages) =>
  pages.map(({ title, url, snippet }) => ({ title, url, description: snippet }));

const wordings: Readonly<Record<string, (pages: Pages) => string>> = {
  tavily: (pages) =>
    toReply(
      toJson({ results: pages.map(({ snippet, ...page }) => ({ ...page, content: snippet })) }),
    ),
  exa: (pages) => toStream(toBlocks(pages)),
  parallel: (pages) =>
    toStream(
      toJson({
        search_id: "s",
        results: pages.map(({ snippet, ...page }) => ({ ...page, excerpts: [snippet] })),
      }),
    ),
  firecrawl: (pages) => toReply(toJson({ success: true, data: { web: described(pages) } })),
  brave: (pages) => toJson({ type: "search", web: { results: described(pages) } }),
  serper: (pages) =>
    toJson({ organic: pages.map(({ url, ...page }) => ({ ...page, link: url, position: 1 })) }),
};

const key = "sk-secret/0123456789+abc=";
const fetch = createSafeFetch({ allowHosts: () => ["127.0.0.1"] });

describe.each(Object.entries(wordings))("the provider %s", (name, toBody) => {
  const cases = searchProviderContract({
    key,
    toBody,
    contentType: name === "exa" || name === "parallel" ? "text/event-stream" : "application/json",
    create: (endpoint) => {
      const provider = createSearchProviders({
        root: createRootFolder("/"),
        guard: { isRoot: () => false, allowRoot: () => false },
        env: (variable) => (variable === `${name.toUpperCase()}_API_KEY` ? key : undefined),
        searchEndpoints: { [name]: endpoint },
        fetch,
      }).find((made) => made.name === name);
      if (provider === undefined) throw new TypeError(`there is no ${name}`);
      return provider;
    },
  });
  it.each(cases.map(({ name: what, run }) => [what, run] as const))("%s", async (_what, run) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
