import { expect, it } from "vitest";
import { createPageCache, type CachedPage } from "./page-cache.js";

const toPage = (text: string): CachedPage => ({
  text,
  statusCode: 200,
  contentType: "",
  finalUrl: "",
  redirects: [],
  downloadTruncated: false,
  note: "",
});

it("keeps the latest pages, as many and as large as it may", () => {
  const cache = createPageCache({ maxPages: 2, maxChars: 10, maxAgeMs: 1000 });
  for (const name of ["a", "b", "c"]) cache.add(name, toPage(name));
  expect(["a", "b", "c"].map((name) => cache.find(name)?.text)).toEqual([undefined, "b", "c"]);
  cache.add("d", toPage("d".repeat(10)));
  expect(["c", "d"].map((name) => cache.find(name)?.text.length)).toEqual([undefined, 10]);
});

it("forgets what is old", () => {
  const cache = createPageCache({ maxPages: 2, maxChars: 10, maxAgeMs: -1 });
  cache.add("a", toPage("a"));
  expect(cache.find("a")).toBeUndefined();
});
