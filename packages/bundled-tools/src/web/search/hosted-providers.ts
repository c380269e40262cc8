import type { JsonObject } from "@postern/tool";
import { callHostedTool, type HostedAnswer } from "./call-hosted-tool.js";
import type { Lookup, ProviderDefinition } from "./create-provider.js";
import { webSearchErrors } from "./errors.js";
import { findText, readItems, readNumber } from "./read-items.js";
import type { FoundPage, SearchRequest } from "./search-provider.js";
import { parseTextBlocks } from "./text-blocks.js";

/** How one hosted MCP server words questions and answers. */
interface Wording {
  readonly tool: string;
  readonly toArguments: (request: SearchRequest) => JsonObject;
  readonly toHeaders: (key: string | undefined) => Readonly<Record<string, string>>;
  readonly toPages: (answer: HostedAnswer) => readonly FoundPage[];
}

function toBearer(key: string | undefined): Readonly<Record<string, string>> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}

const tavily: Wording = {
  tool: "tavily_search",
  toArguments: ({ query, maxResults }) => ({ query, max_results: maxResults }),
  toHeaders: (key) =>
    key === undefined ? { "x-tavily-access-mode": "keyless" } : { authorization: `Bearer ${key}` },
  toPages: (answer) => toPages(answer, ["results"]),
};

const exa: Wording = {
  tool: "web_search_exa",
  toArguments: ({ query, maxResults }) => ({ query, numResults: maxResults, type: "auto" }),
  toHeaders: (key) => (key === undefined ? {} : { "x-api-key": key }),
  toPages: (answer) => toPages(answer, ["results"]),
};

const parallel: Wording = {
  tool: "web_search",
  toArguments: ({ query }) => ({ objective: query, search_queries: [query] }),
  toHeaders: toBearer,
  toPages: (answer) => toPages(answer, ["results"]),
};

const firecrawl: Wording = {
  tool: "firecrawl_search",
  toArguments: ({ query, maxResults }) => ({ query, limit: maxResults }),
  toHeaders: toBearer,
  toPages: (answer) =>
    toPages(answer, answer.data?.["data"] === undefined ? ["web"] : ["data", "web"]),
};

/** Those that are asked over MCP, and need no key, in their order. */
export const hostedProviders: readonly ProviderDefinition[] = Object.freeze([
  toDefinition(tavily, ["tavily", "https://mcp.tavily.com/mcp/"]),
  toDefinition(exa, ["exa", "https://mcp.exa.ai/mcp"]),
  toDefinition(parallel, ["parallel", "https://search.parallel.ai/mcp"]),
  toDefinition(firecrawl, ["firecrawl", "https://mcp.firecrawl.dev/v2/mcp"]),
]);

function toDefinition(
  wording: Wording,
  [name, endpoint]: readonly [string, string],
): ProviderDefinition {
  return {
    name,
    endpoint,
    variable: `${name.toUpperCase()}_API_KEY`,
    needsKey: false,
    find: async (lookup) => wording.toPages(await callFor(wording, lookup)),
  };
}

function callFor(
  { tool, toArguments, toHeaders }: Wording,
  { fetch, endpoint, key, request, limit }: Lookup,
): Promise<HostedAnswer> {
  const call = {
    endpoint,
    tool,
    headers: toHeaders(key.value),
    arguments: toArguments(request),
    hide: key.hide,
  };
  return callHostedTool(fetch, call, limit);
}

/** Servers of this kind change between JSON and text for a model, so each of them is read both ways. */
function toPages({ data, text }: HostedAnswer, path: readonly string[]): readonly FoundPage[] {
  if (data !== undefined) return readItems(data, path).map(toPage);
  const pages = parseTextBlocks(text);
  if (pages === undefined)
    throw webSearchErrors.PROVIDER_MALFORMED({ problem: "it is neither JSON nor a known text" });
  return pages;
}

function toPage(item: JsonObject): FoundPage {
  return {
    title: findText(item, "title") ?? "",
    url: findText(item, "url") ?? "",
    snippet: toSnippet(item),
    published: findText(item, "published_date", "publish_date", "publishedDate") ?? null,
    score: readNumber(item["score"]),
  };
}

function toSnippet(item: JsonObject): string {
  const excerpts = item["excerpts"] ?? item["highlights"];
  if (Array.isArray(excerpts))
    return excerpts.filter((excerpt) => typeof excerpt === "string").join("\n");
  return findText(item, "content", "description", "snippet", "text", "markdown") ?? "";
}
