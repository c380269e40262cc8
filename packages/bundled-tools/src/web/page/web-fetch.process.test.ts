import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { findResultError, type JsonObject, type Tool } from "@postern/tool";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openSite, readAnswer, type Site } from "../../../fixtures/web/site.js";
import { readVersion } from "../../version.js";
import { webFetchTool } from "./web-fetch.js";

const html = `<!doctype html><html><head><title>The  guide</title><style>p{}</style></head><body>
<h1>The guide</h1><p>See <a href="../next?a=1#b">the next</a>, <a href="javascript:x()">not this</a>.</p>
<ul><li>one</li><li>two</li></ul><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>
<pre><code>x = 1
  y</code></pre><script>hidden()</script></body></html>`;

const sentence = "Long paragraphs of an article hold commas, clauses, and a thought that goes on. ";
const article = `<html><head><title>News</title></head><body><nav>${'<a href="/x">Home</a> '.repeat(20)}</nav>
<article><h1>Story</h1>${`<p>${sentence.repeat(5)}</p>`.repeat(8)}</article><footer>Imprint of all</footer></body></html>`;

let turns = 0;

/** What each path answers: status, headers, body. */
const pages: Readonly<
  Record<string, () => readonly [number, Record<string, string>, string | Buffer]>
> = {
  "/dir/page": () => [200, { "content-type": "text/html; charset=utf-8" }, html],
  "/article": () => [200, { "content-type": "text/html" }, article],
  "/fragment": () => [200, { "content-type": "text/html" }, "<p>only <b>this</b>"],
  "/json": () => [200, { "content-type": "application/json" }, '{"a": [1,\n 2]}'],
  "/latin1": () => [
    200,
    { "content-type": "text/plain; charset=ISO-8859-1" },
    Buffer.from("caf\xe9", "latin1"),
  ],
  "/latin1-unsaid": () => [200, { "content-type": "text/plain" }, Buffer.from("caf\xe9", "latin1")],
  "/sjis-meta": () => [
    200,
    { "content-type": "text/html" },
    Buffer.concat([
      Buffer.from('<html><head><meta charset="shift_jis"></head><body>'),
      Buffer.from([0x93, 0xfa, 0x96, 0x7b]),
      Buffer.from("</body></html>"),
    ]),
  ],
  "/utf16-bom": () => [
    200,
    { "content-type": "text/plain; charset=utf-8" },
    Buffer.from("\ufeffgrün", "utf16le"),
  ],
  "/unknown-charset": () => [200, { "content-type": "text/plain; charset=none" }, "grün"],
  "/unsaid": () => [200, {}, "just text"],
  "/unsaid-html": () => [200, {}, html],
  "/image": () => [
    200,
    { "content-type": "image/png", "content-length": "4" },
    Buffer.from([0x89, 0x50, 0, 1]),
  ],
  "/octets": () => [200, { "content-type": "application/octet-stream" }, Buffer.from([1, 2, 0, 1])],
  "/empty": () => [200, { "content-type": "text/html" }, ""],
  "/emoji": () => [200, { "content-type": "text/plain" }, "ab😀cd😀"],
  "/turns": () => [200, { "content-type": "text/plain" }, `${(turns += 1)}`.repeat(300)],
  "/large": () => [200, { "content-type": "text/plain" }, "x".repeat(5_000_001)],
  "/bomb": () => [
    200,
    { "content-type": "text/plain", "content-encoding": "gzip" },
    gzipSync(Buffer.alloc(60_000_000, "x")),
  ],
  "/missing": () => [404, { "content-type": "text/html" }, html],
  "/challenge": () => [403, { "cf-mitigated": "challenge" }, html],
  "/redirect": () => [302, { location: "/dir/page" }, ""],
  "/to-loopback": () => [302, { location: "http://127.0.0.1:8099/" }, ""],
  "/to-metadata": () => [307, { location: "http://169.254.169.254/latest/meta-data/" }, ""],
  "/busy": () => [503, {}, ""],
  "/busy-once": () =>
    (turns += 1) % 2 === 1 ? [429, { "retry-after": "0" }, ""] : [200, {}, "at last"],
  "/busy-long": () => [429, { "retry-after": "100" }, ""],
};

let site: Site;
let tool: Tool;

beforeAll(async () => {
  site = await openSite((request: IncomingMessage, response: ServerResponse) => {
    const page = pages[request.url ?? ""];
    if (page === undefined) return;
    const [status, headers, body] = page();
    response.writeHead(status, headers).end(body);
  });
  tool = webFetchTool(site.around("/"));
});

afterAll(() => site[Symbol.asyncDispose]());

beforeEach(() => {
  turns = 0;
});

const read = (path: string, args: JsonObject = {}): Promise<JsonObject> =>
  readAnswer(tool, { url: site.at(path), ...args });

describe("web_fetch", () => {
  it("gives a page as Markdown, with whole links, and says where it came from", async () => {
    const content = `# The guide

See [the next](${site.at("/next?a=1#b")}), not this.

-   one
-   two

| a   | b   |
| --- | --- |
| 1   | 2   |

\`\`\`
x = 1
  y
\`\`\``;
    expect(await read("/redirect")).toEqual({
      url: site.at("/redirect"),
      final_url: site.at("/dir/page"),
      redirects: [site.at("/redirect")],
      status_code: 200,
      content_type: "text/html; charset=utf-8",
      content,
      truncated: false,
      next_start: null,
      total_chars: content.length,
      download_truncated: false,
      note: "",
      error: "",
    });
  });

  it("gives the article of a page that has one, without what is around it", async () => {
    const { content } = await read("/article");
    expect(content).toMatch(/^# News\n\n(?:.*\n)*Long paragraphs/);
    expect(content).not.toMatch(/Home|Imprint/);
  });

  it("gives a piece of HTML that is no whole document", async () => {
    expect(await read("/fragment")).toMatchObject({ content: "only **this**", error: "" });
  });

  it.each([
    { path: "/json", content: '{"a": [1,\n 2]}' },
    { path: "/latin1", content: "café" },
    { path: "/latin1-unsaid", content: "café" },
    { path: "/sjis-meta", content: "日本" },
    { path: "/utf16-bom", content: "grün" },
    { path: "/unknown-charset", content: "grün" },
    { path: "/unsaid", content: "just text" },
  ])("reads $path as $content", async ({ path, content }) => {
    expect(await read(path)).toMatchObject({ content, error: "" });
  });

  it("knows HTML whose type nobody said", async () => {
    expect(await read("/unsaid-html")).toMatchObject({
      content: expect.stringMatching(/^# The guide/),
    });
  });

  it("says that a page has no text", async () => {
    expect(await read("/empty")).toMatchObject({
      content: "",
      note: "The page has no text.",
      error: "",
    });
  });

  it("gives all of a text page by page, each beginning where the last ended, of one fetch", async () => {
    const first = await read("/turns", { max_chars: 100 });
    const second = await read("/turns", { max_chars: 150, start: first["next_start"] ?? null });
    const third = await read("/turns", { start: second["next_start"] ?? null });
    expect(
      [first, second, third].map((page) => [
        page["content"],
        page["next_start"],
        page["truncated"],
      ]),
    ).toEqual([
      ["1".repeat(100), 100, true],
      ["1".repeat(150), 250, true],
      ["1".repeat(50), null, false],
    ]);
    expect(await read("/turns", { max_chars: 1 })).toMatchObject({ content: "2" });
  });

  it("never cuts a character in two", async () => {
    const first = await read("/emoji", { max_chars: 3 });
    const rest = await read("/emoji", { start: first["next_start"] ?? null });
    expect([first["content"], rest["content"]]).toEqual(["ab😀", "cd😀"]);
  });

  it("says that a later part was fetched anew, and when there is none", async () => {
    const fresh = webFetchTool(site.around("/"));
    expect(await readAnswer(fresh, { url: site.at("/turns"), start: 400 })).toMatchObject({
      content: "",
      note: "The page was fetched anew and may have changed since its first part. start 400 is past the end: the text has 300 characters.",
    });
  });

  it.each(["/large", "/bomb"])("cuts %s at 5 MB, and what it gives at max_chars", async (path) => {
    expect(await read(path, { max_chars: 10 })).toMatchObject({
      content: "xxxxxxxxxx",
      truncated: true,
      total_chars: 5_000_000,
      download_truncated: true,
    });
  });

  it("says honestly who it is, and what it wants", async () => {
    await read("/json");
    expect(site.requests.at(-1)?.headers).toMatchObject({
      "user-agent": `postern-web-fetch/${readVersion()}`,
      "accept-language": "en-US, en;q=0.8, *;q=0.5",
      accept: expect.stringMatching(/^text\/markdown, text\/html/),
    });
  });

  it.each([
    { path: "/image", code: "NOT_TEXT", says: '"image/png" of 4 bytes', status: null },
    { path: "/octets", code: "NOT_TEXT", says: "download tool", status: null },
    {
      path: "/missing",
      code: "HTTP_STATUS",
      says: "answered HTTP 404. There is nothing",
      status: 404,
    },
    { path: "/challenge", code: "BROWSER_CHALLENGE", says: "Cloudflare challenge", status: 403 },
    { path: "/busy", code: "HTTP_STATUS", says: "answered HTTP 503", status: 503 },
    { path: "/to-loopback", code: "ADDRESS_REFUSED", says: '"127.0.0.1" is not on', status: null },
    { path: "/to-metadata", code: "ADDRESS_REFUSED", says: '"169.254.169.254"', status: null },
  ])("fails for $path with $code", async ({ path, code, says, status }) => {
    const result = await tool.run({ url: site.at(path) });
    expect(findResultError(result)).toBeDefined();
    expect(result.structuredContent).toMatchObject({
      url: site.at(path),
      content: "",
      status_code: status,
      error: expect.stringContaining(says),
      code,
    });
  });

  it.each([
    { url: "http://127.0.0.1:8099/", code: "ADDRESS_REFUSED" },
    { url: "http://100.100.100.200/", code: "ADDRESS_REFUSED" },
    { url: "http://[2002:7f00:1::]/", code: "ADDRESS_REFUSED" },
    { url: "http://[fec0::1]/", code: "ADDRESS_REFUSED" },
    { url: "http://unlisted.test/", code: "ADDRESS_REFUSED" },
    { url: "http://nowhere.test/", code: "HOST_UNKNOWN" },
    { url: "file:///etc/passwd", code: "INVALID_URL" },
    { url: "example.org", code: "INVALID_URL" },
  ])("refuses $url with $code", async ({ url, code }) => {
    expect(await readAnswer(tool, { url })).toMatchObject({ url, content: "", code });
  });

  it("tries three times what may pass, and once what will not", async () => {
    const before = site.requests.length;
    await read("/busy");
    await read("/missing");
    await read("/challenge");
    expect(site.requests.length - before).toBe(5);
  });

  it("waits as long as it is told, if there is time for it", async () => {
    expect(await read("/busy-once")).toMatchObject({ content: "at last", error: "" });
    const before = site.requests.length;
    expect(await read("/busy-long", { timeout: 2 })).toMatchObject({
      code: "HTTP_STATUS",
      status_code: 429,
    });
    expect(site.requests.length - before).toBe(1);
  });

  it("ends at the time-out, whatever it waits for", async () => {
    const start = performance.now();
    expect(await read("/never", { timeout: 1 })).toMatchObject({ code: "FETCH_TIMEOUT" });
    expect(performance.now() - start).toBeLessThan(2500);
  });

  it("ends when the call is cancelled", async () => {
    const answer = readAnswer(tool, { url: site.at("/never") }, AbortSignal.timeout(50));
    expect(await answer).toMatchObject({ code: "ABORTED" });
  });
});
