import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  openServices,
  sendJson,
  type Arrived,
  type Services,
} from "../../../fixtures/web/lookup.js";
import { readAnswer } from "../../../fixtures/web/site.js";
import { webSearchTool } from "./web-search.js";

const names = ["tavily", "exa", "parallel", "firecrawl", "brave", "serper"];
const found = { title: "A", url: "https://a.example/", content: "About a.", score: 0.5 };
const shown = {
  title: "A",
  url: "https://a.example/",
  snippet: "About a.",
  published: null,
  score: 0.5,
};

let services: Services;

beforeAll(async () => {
  services = await openServices();
});
beforeEach(() => {
  services.reset();
});
afterAll(() => services[Symbol.asyncDispose]());

const toTool = (env: Record<string, string> = {}, searchTimeoutMs = 5000) =>
  webSearchTool({
    ...services.around(env),
    searchEndpoints: Object.fromEntries(names.map((name) => [name, services.at(name)])),
    searchTimeoutMs,
  });

const readId = ({ body }: Arrived): unknown => (JSON.parse(body) as { id?: unknown }).id;

const toReply = (request: Arrived, value: unknown, more: object = {}): object => ({
  jsonrpc: "2.0",
  id: readId(request),
  result: { content: [{ type: "text", text: JSON.stringify(value) }], ...more },
});

describe("web_search", () => {
  it("asks the first provider without a key, in one request, and names it", async () => {
    services.answers = {
      tavily: (request, response) => sendJson(response, toReply(request, { results: [found] })),
    };
    expect(await readAnswer(toTool(), { query: " paint ", max_results: 3 })).toEqual({
      query: " paint ",
      provider: "tavily",
      results: [shown],
      error: "",
    });
    const [request] = services.requests;
    expect(JSON.parse(request?.body ?? "")).toEqual({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "tavily_search", arguments: { query: "paint", max_results: 3 } },
    });
    expect(request?.headers).toMatchObject({
      accept: "application/json, text/event-stream",
      "x-tavily-access-mode": "keyless",
      "user-agent": expect.stringMatching(/^postern-web-search\/\d/),
    });
    expect(services.asked).toEqual(["tavily"]);
  });

  it("falls through a 429, a 500, an error result and an empty answer, each asked once", async () => {
    services.answers = {
      tavily: (_request, response) => response.writeHead(429).end(),
      exa: (_request, response) => response.writeHead(503).end(),
      parallel: (request, response) =>
        sendJson(response, toReply(request, { results: [found] }, { isError: true })),
      firecrawl: (request, response) => sendJson(response, toReply(request, { data: { web: [] } })),
      serper: (_request, response) =>
        sendJson(response, { organic: [{ title: "A", link: found.url, snippet: "s" }] }),
    };
    const answer = await readAnswer(toTool(), { query: "x" });
    expect(answer).toMatchObject({ provider: "firecrawl", results: [] });
    expect(services.asked).toEqual(["tavily", "exa", "parallel", "firecrawl"]);
    expect(await readAnswer(toTool({ SERPER_API_KEY: "k1" }), { query: "x" })).toMatchObject({
      provider: "serper",
    });
  });

  it("takes an error result as a failure, whatever it holds", async () => {
    services.answers = {
      tavily: (request, response) =>
        sendJson(response, toReply(request, { results: [found] }, { isError: true })),
    };
    expect(await readAnswer(toTool(), { query: "x" })).toMatchObject({
      code: "WEB_SEARCH_FAILED",
      results: [],
      error: expect.stringContaining("tavily: It refused"),
    });
  });

  it("gives no more results than asked for, whatever the provider sends", async () => {
    services.answers = {
      tavily: (request, response) => {
        const results = Array.from({ length: 30 }, (_, at) => ({
          ...found,
          url: `http://${at}.example`,
        }));
        sendJson(response, toReply(request, { results }));
      },
    };
    const { results } = await readAnswer(toTool(), { query: "x", max_results: 4 });
    expect(results).toHaveLength(4);
  });

  it("asks providers with a key first, the key in its header and nowhere else", async () => {
    services.answers = {
      brave: (_request, response) =>
        sendJson(response, {
          type: "search",
          web: {
            results: [
              {
                title: "the key-b",
                url: "https://b.example/?k=key-b",
                description: "d",
                age: "1 day",
              },
            ],
          },
        }),
    };
    expect(
      await readAnswer(toTool({ BRAVE_API_KEY: " key-b " }), { query: "x & y" }),
    ).toMatchObject({
      provider: "brave",
      results: [
        { title: "the [key]", url: "https://b.example/?k=[key]", published: "1 day", score: null },
      ],
    });
    const [request] = services.requests;
    expect(request?.headers["x-subscription-token"]).toBe("key-b");
    expect(request?.params.toString()).toBe("q=x+%26+y&count=8&text_decorations=false");
  });

  it("shows no key in an error, also when the provider repeats it", async () => {
    services.answers = {
      exa: (request, response) =>
        sendJson(response, {
          jsonrpc: "2.0",
          id: readId(request),
          error: { code: -1, message: `${"x".repeat(195)}secret-1234 is wrong` },
        }),
    };
    const answer = await readAnswer(toTool({ EXA_API_KEY: "secret-1234" }), { query: "x" });
    expect(answer["error"]).toMatch(/exa: It refused: "x+\[key/);
    expect(JSON.stringify(answer)).not.toContain("secre");
  });

  it("refuses a key that cannot be one, and sends it nowhere", async () => {
    const answer = await readAnswer(toTool({ TAVILY_API_KEY: "a\r\nx-evil: 1" }), { query: "x" });
    expect(answer).toMatchObject({ error: expect.stringContaining("TAVILY_API_KEY holds what") });
    expect(services.asked).toEqual(["exa", "parallel", "firecrawl"]);
  });

  it("makes a session when the server demands one", async () => {
    const seen: unknown[] = [];
    services.answers = {
      tavily: (request, response) => {
        const { method } = JSON.parse(request.body) as { method: string };
        const session = request.headers["mcp-session-id"];
        seen.push([method, session ?? null, request.headers["mcp-protocol-version"] ?? null]);
        if (method === "initialize") {
          response.setHeader("mcp-session-id", "s-1");
          const result = { protocolVersion: "2025-03-26", capabilities: {}, serverInfo: {} };
          response.setHeader("content-type", "text/event-stream");
          response.end(
            `data: ${JSON.stringify({ jsonrpc: "2.0", id: readId(request), result })}\n\n`,
          );
          return;
        }
        if (session !== "s-1") {
          response.writeHead(400, { "content-type": "application/json" });
          const error = { code: -32_000, message: "Bad Request: Server not initialized" };
          response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error }));
          return;
        }
        if (method === "notifications/initialized") response.writeHead(202).end();
        else sendJson(response, toReply(request, { results: [found] }));
      },
    };
    expect(await readAnswer(toTool(), { query: "x" })).toMatchObject({ results: [shown] });
    expect(seen).toEqual([
      ["tools/call", null, null],
      ["initialize", null, null],
      ["notifications/initialized", "s-1", "2025-03-26"],
      ["tools/call", "s-1", "2025-03-26"],
    ]);
  });

  it("reads an event stream that stays open only to its answer", async () => {
    services.answers = {
      tavily: (request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        const reply = JSON.stringify(toReply(request, { results: [found] }), undefined, 1);
        response.write(`: hi\r\n\r\ndata: ${reply.replaceAll("\n", "\r\ndata: ")}\r\n\r\n`);
      },
    };
    const start = performance.now();
    expect(await readAnswer(toTool(), { query: "x" })).toMatchObject({ results: [shown] });
    expect(performance.now() - start).toBeLessThan(1000);
  });

  it("is in time when every provider hangs or drips", async () => {
    services.answers = {
      tavily: () => undefined,
      exa: (_request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        const timer = setInterval(() => response.write(": wait\n"), 20);
        response.on("close", () => clearInterval(timer));
      },
      parallel: () => undefined,
      firecrawl: (request, response) =>
        sendJson(response, toReply(request, { data: { web: [{ title: "A", url: found.url }] } })),
    };
    const start = performance.now();
    expect(await readAnswer(toTool({}, 800), { query: "x" })).toMatchObject({
      provider: "firecrawl",
    });
    services.answers = { ...services.answers, firecrawl: () => undefined };
    expect(await readAnswer(toTool({}, 800), { query: "x" })).toMatchObject({
      code: "WEB_SEARCH_FAILED",
    });
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it("refuses a blank query without asking anyone", async () => {
    expect(await readAnswer(toTool(), { query: " \n " })).toMatchObject({ code: "BLANK_QUERY" });
    expect(services.asked).toEqual([]);
  });
});
