import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSite, readAnswer, type Site } from "../../../fixtures/web/site.js";
import { readPage } from "./read-page.js";
import { webFetchTool } from "./web-fetch.js";

/** The least that is a PDF with one line of text; readers find the objects themselves. */
const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length 44>>stream
BT /F1 18 Tf 20 40 Td (Hello from a PDF) Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
%%EOF`;

let site: Site;

beforeAll(async () => {
  site = await openSite((request, response) => {
    const type = request.url === "/unsaid" ? "application/octet-stream" : "application/pdf";
    response.writeHead(200, { "content-type": type });
    response.end(request.url === "/huge" ? Buffer.concat([Buffer.from(pdf), huge]) : pdf);
  });
});

const huge = Buffer.alloc(25_000_000, " ");

afterAll(() => site[Symbol.asyncDispose]());

describe("web_fetch of a PDF", () => {
  it.each(["/file.pdf", "/unsaid"])("gives the text of %s", async (path) => {
    const answer = await readAnswer(webFetchTool(site.around("/")), { url: site.at(path) });
    expect(answer).toMatchObject({
      content: expect.stringContaining("Hello from a PDF"),
      error: "",
    });
  });

  it("does not take a part for the whole: a larger one is refused", async () => {
    const answer = await readAnswer(webFetchTool(site.around("/")), { url: site.at("/huge") });
    expect(answer).toMatchObject({ content: "", code: "DOCUMENT_TOO_LARGE" });
  });

  it("says so when there is no time left for the text", async () => {
    const bytes = Buffer.from(pdf);
    const openUrl = () =>
      Promise.resolve({
        status: 200,
        url: "https://a.example/",
        redirects: [],
        headers: { get: () => "application/pdf" },
        body: (async function* () {
          yield await Promise.resolve(bytes);
        })(),
        bytes: () => Promise.resolve({ data: bytes, truncated: false }),
        close: () => Promise.resolve(),
      });
    const { signal } = new AbortController();
    await expect(
      readPage(openUrl, { url: "https://a.example/", timeoutMs: 1, signal }),
    ).rejects.toMatchObject({ code: "CONVERSION_TIMEOUT" });
  });
});
