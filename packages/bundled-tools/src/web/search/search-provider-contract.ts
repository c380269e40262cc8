import assert from "node:assert/strict";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isPosternError, type PosternError } from "@postern/errors";
import type { FoundPage, SearchProvider, SearchRequest } from "./search-provider.js";

/** A provider that is put to the test. */
export interface ContractSubject {
  /** Makes the provider with its endpoint at a URL of loopback, and with the key when there is one. */
  readonly create: (endpoint: string) => SearchProvider;
  /** The body by which its service says that it found these pages. */
  readonly toBody: (pages: readonly Pick<FoundPage, "title" | "url" | "snippet">[]) => string;
  /** The key that `create` gives it; a provider without keys has none. */
  readonly key?: string;
  /** Of `toBody`. Default: "application/json". */
  readonly contentType?: string;
}

/** One thing that must hold. */
export interface ContractCase {
  /** What holds, in words; a name for a test. */
  readonly name: string;
  /** Resolves when it holds, rejects when not. */
  readonly run: () => Promise<void>;
}

type Check = (subject: ContractSubject) => Promise<void>;

const pages = [
  { title: "First", url: "https://one.example/a", snippet: "About one." },
  { title: "Second", url: "https://two.example/b?c=d", snippet: "About two." },
];

const checks: Readonly<Record<string, Check>> = {
  "gives the pages that its service found, in their order": async (subject) => {
    const found = await searchAt(subject, (response) => sendBody(subject, response, pages));
    const seen = found.map(({ title, url, snippet }) => ({ title, url, snippet }));
    assert.deepEqual(seen, pages);
  },
  "gives nothing when its service found nothing": async (subject) => {
    const found = await searchAt(subject, (response) => sendBody(subject, response, []));
    assert.deepEqual(found, []);
  },
  "says how long it wants to be left alone": async (subject) => {
    const error = await readFailure(subject, (response) =>
      response.writeHead(429, { "retry-after": "7" }).end(),
    );
    assert.equal(error.code, "PROVIDER_RATE_LIMITED");
    assert.deepEqual(error.data, { retryAfterMs: 7000 });
  },
  "fails at once when its service has a problem": async (subject) => {
    let count = 0;
    const error = await readFailure(subject, (response) => {
      count += 1;
      response.writeHead(500).end("oops");
    });
    assert.deepEqual([error.code, count], ["PROVIDER_STATUS", 1]);
  },
  "fails on an answer that it cannot read": async (subject) => {
    const error = await readFailure(subject, (response) =>
      response.writeHead(200, { "content-type": "application/json" }).end('{"half": ['),
    );
    assert.equal(error.code, "PROVIDER_MALFORMED");
  },
  "ends in time when its service does not answer": async (subject) => {
    assert.ok((await measureFailure(subject, () => undefined)) < 2000);
  },
  "ends in time when its service answers byte by byte": async (subject) => {
    const elapsedMs = await measureFailure(subject, (response) => {
      response.writeHead(200, { "content-type": subject.contentType ?? "application/json" });
      const timer = setInterval(() => response.write(" \n"), 20);
      response.on("close", () => clearInterval(timer));
    });
    assert.ok(elapsedMs < 2000);
  },
  "ends when it is cancelled": async (subject) => {
    const signal = AbortSignal.timeout(100);
    await readFailure(subject, () => undefined, { signal, timeoutMs: 10_000 });
  },
  "tells no key, also when its service does": async (subject) => {
    const { key = "none" } = subject;
    const error = await readFailure(subject, (response) =>
      response
        .writeHead(401, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: 1, message: `bad ${key}` } })),
    );
    assert.ok(!`${error.message} ${JSON.stringify(error.data)}`.includes(key));
  },
  "takes no key to another origin": async (subject) => {
    const { key = "none" } = subject;
    const seen: string[] = [];
    await using other = await openServer((request, response) => {
      seen.push(JSON.stringify(request.headers) + (request.url ?? ""));
      sendBody(subject, response, pages);
    });
    await readFailure(subject, (response) =>
      response.writeHead(307, { location: other.url }).end(),
    );
    assert.ok(!seen.join().includes(key));
  },
};

/**
 * Lists what every search provider must do. The cases serve its service's protocol on loopback, so the provider must
 * be made with a fetch that may reach 127.0.0.1.
 *
 * @param subject - The provider, and how its service words an answer.
 * @returns The cases: `for (const { name, run } of cases) it(name, run)`.
 */
export function searchProviderContract(subject: ContractSubject): readonly ContractCase[] {
  return Object.freeze(
    Object.entries(checks).map(([name, check]) => ({ name, run: () => check(subject) })),
  );
}

function sendBody(
  { toBody, contentType = "application/json" }: ContractSubject,
  response: ServerResponse,
  found: typeof pages,
): void {
  response.writeHead(200, { "content-type": contentType }).end(toBody(found));
}

type Answer = (response: ServerResponse) => unknown;

async function searchAt(
  subject: ContractSubject,
  answer: Answer,
  limits: Partial<SearchRequest> = {},
): Promise<readonly FoundPage[]> {
  await using server = await openServer((_request, response) => void answer(response));
  return await subject.create(server.url).search({
    query: "two words",
    maxResults: 5,
    timeoutMs: 5000,
    signal: new AbortController().signal,
    ...limits,
  });
}

async function readFailure(
  subject: ContractSubject,
  answer: Answer,
  limits: Partial<SearchRequest> = {},
): Promise<PosternError> {
  const error = await searchAt(subject, answer, limits).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(isPosternError(error), "it rejects with an error of Postern");
  return error;
}

/** How long a search of at most 300 ms really takes. */
async function measureFailure(subject: ContractSubject, answer: Answer): Promise<number> {
  const start = performance.now();
  await readFailure(subject, answer, { timeoutMs: 300 });
  return performance.now() - start;
}

async function openServer(
  answer: RequestListener,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
