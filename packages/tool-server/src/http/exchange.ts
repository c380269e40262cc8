/** What came of reading a body. */
export type Body =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "too_large" }
  | { readonly kind: "unreadable" };

/** Headers of an answer, by lower-case name. */
export type AnswerHeaders = Readonly<Record<string, string>>;

/**
 * One HTTP request and its answer, whatever carries it. What is answered after the first whole answer is dropped, so
 * that no path can answer twice.
 */
export interface Exchange {
  /** The method, in upper case. */
  readonly method: string;
  /** The path, without the query. */
  readonly path: string;
  /** The peer's address, where it is known. */
  readonly remoteAddress: string | undefined;
  /** Aborted when the client is gone, or the endpoint closes. */
  readonly signal: AbortSignal;
  /** The request as `fetch` knows it, without its body. Made when it is asked for, which is not cheap. */
  readonly request: Request;
  /** Reads a header by its lower-case name. */
  header(name: string): string | undefined;
  /** Reads the body as strict UTF-8, never more than the limit. */
  readBody(maxBytes: number): Promise<Body>;
  /** Adds a header to whatever will be answered. */
  addHeader(name: string, value: string): void;
  /** Answers whole; an empty text is no body. */
  answer(status: number, text: string, headers?: AnswerHeaders): void;
  /** Answers with what the SDK made; resolves when it is sent, or given up. */
  pass(response: Response): Promise<void>;
  /** Whether the answer has become an event stream. */
  readonly streaming: boolean;
  /** Sends text of an event stream, and makes the answer one with the first. */
  stream(text: string): void;
  /** Ends an event stream. */
  end(): void;
  /** Gives the exchange up: aborts its signal, and ends what it has begun. */
  abort(): void;
}

/**
 * Makes what the SDK reads of a request, once it was given the parsed body: method, headers and signal.
 *
 * @param exchange - The exchange.
 * @returns A stand-in that costs next to nothing; nobody else may get it.
 */
export function createSdkRequest(exchange: Exchange): Request {
  const { method, signal } = exchange;
  const headers = { get: (name: string) => exchange.header(name.toLowerCase()) ?? null };
  return { method, signal, headers } as unknown as Request;
}

/** Headers of a JSON answer. */
export const jsonHeaders: AnswerHeaders = Object.freeze({ "content-type": "application/json" });

/** Headers of an event stream; no proxy may hold it back. */
export const streamHeaders: AnswerHeaders = Object.freeze({
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
});

/** One event that carries a JSON-RPC message. */
export function toEvent(json: string): string {
  return `event: message\ndata: ${json}\n\n`;
}

/** What keeps an event stream from being taken for dead. */
export const keepAliveComment = ": keepalive\n\n";

/** Whether an answer goes on after its head. */
export function isEventStream(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
}
