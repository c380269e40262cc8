import {
  isEventStream,
  streamHeaders,
  type AnswerHeaders,
  type Body,
  type Exchange,
} from "./exchange.js";

/** An exchange between a `Request` and the `Response` it resolves to. */
export class FetchExchange implements Exchange {
  readonly method: string;
  readonly path: string;
  readonly remoteAddress = undefined;
  readonly request: Request;
  /** Resolves once something is answered. */
  readonly response: Promise<Response>;
  readonly #abort = new AbortController();
  readonly #added = new Headers();
  readonly #host: string;
  #resolve: ((response: Response) => void) | undefined;
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;

  /** @param request - The request. */
  constructor(request: Request) {
    const { host, pathname } = new URL(request.url);
    this.request = request;
    this.method = request.method;
    this.path = pathname;
    this.#host = host;
    const { promise, resolve } = createDeferred<Response>();
    this.response = promise;
    this.#resolve = resolve;
    if (request.signal.aborted) this.#abort.abort();
    else request.signal.addEventListener("abort", () => this.abort(), { once: true });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get streaming(): boolean {
    return this.#stream !== undefined;
  }

  header(name: string): string | undefined {
    // A request that was built in this process has no Host header; its URL says the same.
    return this.request.headers.get(name) ?? (name === "host" ? this.#host : undefined);
  }

  async readBody(maxBytes: number): Promise<Body> {
    if (Number(this.header("content-length") ?? 0) > maxBytes) return { kind: "too_large" };
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    let text = "";
    let bytes = 0;
    try {
      for await (const chunk of this.request.body ?? []) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) return { kind: "too_large" };
        text += decoder.decode(chunk, { stream: true });
      }
      return { kind: "text", text: text + decoder.decode() };
    } catch {
      return { kind: "unreadable" };
    }
  }

  addHeader(name: string, value: string): void {
    this.#added.set(name, value);
  }

  answer(status: number, text: string, headers: AnswerHeaders = {}): void {
    this.#settle(new Response(text === "" ? null : text, { status, headers }));
  }

  async pass(response: Response): Promise<void> {
    const { body } = response;
    if (body === null || !isEventStream(response)) return this.#settle(response);
    this.#stream ??= this.#open();
    try {
      for await (const chunk of body) this.#stream.enqueue(chunk);
    } catch {
      // The reader is gone; what wrote the stream is being aborted.
    }
    this.end();
  }

  stream(text: string): void {
    this.#stream ??= this.#open();
    try {
      this.#stream.enqueue(new TextEncoder().encode(text));
    } catch {
      // The reader is gone; its call is being aborted.
    }
  }

  end(): void {
    try {
      this.#stream?.close();
    } catch {
      // Ended already, or given up by the reader.
    }
  }

  abort(): void {
    this.#abort.abort();
    this.end();
    // 499: nobody is left to read it.
    this.#settle(new Response(null, { status: 499 }));
  }

  #open(): ReadableStreamDefaultController<Uint8Array> {
    const opened: { controller?: ReadableStreamDefaultController<Uint8Array> } = {};
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        opened.controller = controller;
      },
      cancel: () => this.#abort.abort(),
    });
    this.#settle(new Response(body, { status: 200, headers: streamHeaders }));
    return opened.controller as ReadableStreamDefaultController<Uint8Array>;
  }

  #settle(response: Response): void {
    const resolve = this.#resolve;
    if (resolve === undefined) return;
    this.#resolve = undefined;
    for (const [name, value] of this.#added) response.headers.set(name, value);
    resolve(response);
  }
}

function createDeferred<T>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
} {
  let settle: ((value: T) => void) | undefined;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: (value) => settle?.(value) };
}
