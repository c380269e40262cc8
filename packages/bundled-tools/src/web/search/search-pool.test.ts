import { describe, expect, it } from "vitest";
import { webSearchErrors } from "./errors.js";
import { createSearchPool, type PoolRequest } from "./search-pool.js";
import type { FoundPage, ProviderAccess, SearchProvider } from "./search-provider.js";

const page: FoundPage = {
  title: "A page",
  url: "https://one.example/",
  snippet: "Says something.",
  published: null,
  score: null,
};

function toRequest(more: Partial<PoolRequest> = {}): PoolRequest {
  return { query: "x", maxResults: 5, signal: new AbortController().signal, ...more };
}

/** A provider that is counted, with what it does at a search. */
function provider(
  asked: string[],
  name: string,
  search: SearchProvider["search"] = async () => [page],
): SearchProvider {
  return {
    name,
    readAccess: () => "keyless",
    search: (request) => {
      asked.push(name);
      return search(request);
    },
  };
}

const limited = async (): Promise<never> => {
  throw webSearchErrors.PROVIDER_RATE_LIMITED({ retryAfterMs: 5000 });
};
const broken = async (): Promise<never> => {
  throw webSearchErrors.PROVIDER_STATUS({ status: 503 });
};
const hanging = (): Promise<never> => new Promise(() => undefined);

describe("createSearchPool()", () => {
  it("asks providers with a key first, each in the given order", async () => {
    const asked: string[] = [];
    const search = createSearchPool({
      timeoutMs: 1000,
      providers: [
        provider(asked, "free", broken),
        { ...provider(asked, "locked"), readAccess: () => "none" },
        { ...provider(asked, "paid", broken), readAccess: () => "keyed" },
        { ...provider(asked, "other", broken), readAccess: () => "keyed" },
        provider(asked, "last"),
      ],
    });
    expect(await search(toRequest())).toEqual({ provider: "last", results: [page] });
    expect(asked).toEqual(["paid", "other", "free", "last"]);
  });

  it("asks a provider once, however it fails, and then the next", async () => {
    const asked: string[] = [];
    const search = createSearchPool({
      timeoutMs: 1000,
      providers: [
        provider(asked, "limited", limited),
        provider(asked, "broken", broken),
        provider(asked, "empty", async () => []),
        provider(asked, "thrower", () => {
          throw new TypeError("inside");
        }),
        provider(asked, "good"),
      ],
    });
    expect((await search(toRequest())).provider).toBe("good");
    expect(asked).toEqual(["limited", "broken", "empty", "thrower", "good"]);
  });

  it("leaves a rate-limited provider alone for as long as it wants", async () => {
    const asked: string[] = [];
    let nowMs = 0;
    const search = createSearchPool({
      timeoutMs: 1000,
      now: () => nowMs,
      providers: [provider(asked, "limited", limited), provider(asked, "good")],
    });
    await search(toRequest());
    nowMs = 4999;
    await search(toRequest());
    nowMs = 5000;
    await search(toRequest());
    expect(asked).toEqual(["limited", "good", "good", "limited", "good"]);
  });

  it("asks rate-limited providers nevertheless when there are no others", async () => {
    const asked: string[] = [];
    const search = createSearchPool({
      timeoutMs: 1000,
      now: () => 0,
      providers: [provider(asked, "one", limited), provider(asked, "two", limited)],
    });
    await expect(search(toRequest())).rejects.toMatchObject({ code: "WEB_SEARCH_FAILED" });
    await expect(search(toRequest())).rejects.toMatchObject({ code: "WEB_SEARCH_FAILED" });
    expect(asked).toEqual(["one", "two", "one", "two"]);
  });

  it("asks a provider again once it has a key, whose limit is another", async () => {
    const asked: string[] = [];
    let access: ProviderAccess = "keyless";
    const first = { ...provider(asked, "first", limited), readAccess: () => access };
    const search = createSearchPool({
      timeoutMs: 1000,
      now: () => 0,
      providers: [first, provider(asked, "good")],
    });
    await search(toRequest());
    access = "keyed";
    await search(toRequest());
    expect(asked).toEqual(["first", "good", "first", "good"]);
  });

  it("gives whoever hangs only its share of the time, and the last all that is left", async () => {
    const shares: number[] = [];
    const asked: string[] = [];
    const search = createSearchPool({
      timeoutMs: 400,
      providers: ["a", "b"].map((name) =>
        provider(asked, name, ({ timeoutMs }) => {
          shares.push(timeoutMs);
          return hanging();
        }),
      ),
    });
    const start = performance.now();
    await expect(search(toRequest())).rejects.toMatchObject({
      code: "WEB_SEARCH_FAILED",
      message: expect.stringContaining(
        `a: ${webSearchErrors.PROVIDER_TIMEOUT({ timeoutMs: 200 }).message} b: It did not`,
      ),
    });
    const elapsedMs = performance.now() - start;
    expect({
      isInTime: elapsedMs < 1_500,
      first: Math.abs((shares[0] ?? 0) - 200) < 20,
      last: Math.abs((shares[1] ?? 0) - 200) < 150,
    }).toEqual({ isInTime: true, first: true, last: true });
  });

  it("answers with nothing when a provider answered and none found something", async () => {
    const search = createSearchPool({
      timeoutMs: 1000,
      providers: [provider([], "broken", broken), provider([], "empty", async () => [])],
    });
    expect(await search(toRequest())).toEqual({ provider: "empty", results: [] });
  });

  it("fails without a provider, and with the reason of each that failed", async () => {
    const none = createSearchPool({ timeoutMs: 1000, providers: [] });
    await expect(none(toRequest())).rejects.toMatchObject({ code: "NO_SEARCH_PROVIDER" });
    const search = createSearchPool({
      timeoutMs: 1000,
      providers: [
        provider([], "broken", broken),
        provider([], "strange", async () => {
          throw new TypeError("secret of the inside");
        }),
      ],
    });
    await expect(search(toRequest())).rejects.toMatchObject({
      code: "WEB_SEARCH_FAILED",
      message:
        "No search provider answered. broken: It answered HTTP 503. strange: It failed. Try again later, or set a key of a provider.",
    });
  });

  it("ends at once when it is cancelled, and asks no one else", async () => {
    const asked: string[] = [];
    const search = createSearchPool({
      timeoutMs: 10_000,
      providers: [provider(asked, "hanging", hanging), provider(asked, "good")],
    });
    const signal = AbortSignal.timeout(20);
    await expect(search(toRequest({ signal }))).rejects.toMatchObject({ code: "CANCELLED" });
    expect(asked).toEqual(["hanging"]);
  });
});
