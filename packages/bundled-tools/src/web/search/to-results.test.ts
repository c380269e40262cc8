import { describe, expect, it } from "vitest";
import type { FoundPage } from "./search-provider.js";
import { toResults } from "./to-results.js";

function page(url: string, more: Partial<FoundPage> = {}): FoundPage {
  return { title: "t", url, snippet: "s", published: null, score: null, ...more };
}

const toUrls = (urls: readonly string[], maxResults = 20): readonly string[] =>
  toResults(
    urls.map((url) => page(url)),
    maxResults,
  ).map(({ url }) => url);

describe("toResults()", () => {
  it("lets only http and https pass, without a user name", () => {
    expect(
      toUrls([
        "javascript:alert(1)",
        "file:///etc/passwd",
        "data:text/html,x",
        "https://bank.example@evil.example/",
        "no url",
        "",
        "http://good.example/",
        "HTTPS://Other.example/a",
      ]),
    ).toEqual(["http://good.example/", "https://other.example/a"]);
  });

  it("gives each page once, whatever hangs on its URL", () => {
    expect(
      toUrls([
        "https://www.one.example/a/?utm_source=x&b=2&a=1#top",
        "http://one.example/a?a=1&b=2&fbclid=9",
        "https://one.example:443/a?b=2&a=1",
        "https://one.example/a?a=2&b=1",
        "https://one.example/A?a=1&b=2",
      ]),
    ).toEqual([
      "https://www.one.example/a/?utm_source=x&b=2&a=1#top",
      "https://one.example/a?a=2&b=1",
      "https://one.example/A?a=1&b=2",
    ]);
  });

  it("gives no more than was asked for", () => {
    expect(toUrls(["https://a.example", "https://b.example", "https://c.example"], 2)).toHaveLength(
      2,
    );
  });

  it("bounds every text and cuts no character in half", () => {
    const [result] = toResults(
      [
        page("https://a.example/", {
          title: `two\n lines ${"t".repeat(1000)}`,
          snippet: `  ${"x".repeat(1998)}😀😀 `,
          published: "  ",
          score: Number.NaN,
        }),
      ],
      1,
    );
    expect(result).toEqual({
      title: `two lines ${"t".repeat(489)}…`,
      url: "https://a.example/",
      snippet: `${"x".repeat(1998)}…`,
      published: null,
      score: null,
    });
  });
});
