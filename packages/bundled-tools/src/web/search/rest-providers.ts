import type { JsonObject } from "@postern/tool";
import type { Lookup, ProviderDefinition } from "./create-provider.js";
import { parseAnswerJson, readAnswerText, type Question } from "./open-answer.js";
import { findText, readItems } from "./read-items.js";
import type { FoundPage } from "./search-provider.js";

const brave: ProviderDefinition = {
  name: "brave",
  endpoint: "https://api.search.brave.com/res/v1/web/search",
  variable: "BRAVE_API_KEY",
  needsKey: true,
  async find({ endpoint, key, request, ...lookup }) {
    const url = new URL(endpoint);
    url.searchParams.set("q", request.query);
    url.searchParams.set("count", String(request.maxResults));
    url.searchParams.set("text_decorations", "false");
    const headers = { accept: "application/json", "x-subscription-token": key.value ?? "" };
    const data = await readJson(lookup, { url, headers });
    // A search that found no page of the web has no `web` at all.
    if (hasType(data, "search") && data["web"] === undefined) return [];
    return readItems(data, ["web", "results"]).map((item) =>
      toPage(item, {
        url: "url",
        snippet: "description",
        published: findText(item, "page_age", "age"),
      }),
    );
  },
};

const serper: ProviderDefinition = {
  name: "serper",
  endpoint: "https://google.serper.dev/search",
  variable: "SERPER_API_KEY",
  needsKey: true,
  async find({ endpoint, key, request, ...lookup }) {
    const data = await readJson(lookup, {
      url: new URL(endpoint),
      headers: {
        accept: "application/json",
        "content-type": "application/json",
        "x-api-key": key.value ?? "",
      },
      body: JSON.stringify({ q: request.query, num: request.maxResults }),
    });
    return readItems(data, ["organic"]).map((item) =>
      toPage(item, { url: "link", snippet: "snippet", published: findText(item, "date") }),
    );
  },
};

/** Those that are asked over REST, and only with a key, in their order. */
export const restProviders: readonly ProviderDefinition[] = Object.freeze([brave, serper]);

async function readJson(
  { fetch, limit }: Pick<Lookup, "fetch" | "limit">,
  question: Question,
): Promise<unknown> {
  return parseAnswerJson(await readAnswerText(fetch, question, limit));
}

function hasType(data: unknown, type: string): data is JsonObject {
  return (data as { readonly type?: unknown } | null)?.type === type;
}

interface Names {
  readonly url: string;
  readonly snippet: string;
  readonly published: string | undefined;
}

function toPage(item: JsonObject, { url, snippet, published }: Names): FoundPage {
  return {
    title: findText(item, "title") ?? "",
    url: findText(item, url) ?? "",
    snippet: findText(item, snippet) ?? "",
    published: published ?? null,
    score: null,
  };
}
