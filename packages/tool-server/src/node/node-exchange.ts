import { isUtf8 } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import { streamHeaders, type AnswerHeaders, type Body, type Exchange } from "../http/exchange.js";

/** How long a client that is cut off in the middle of its body may still send, to be able to read why. */
const lingerMs = 500;

/** An exchange on Node's own request and response: nothing is built that the call does not need. */
export class NodeExchange implements Exchange {
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #abort = new AbortController();
  #isRead = false;

  /**
   * @param incoming - The request.
   * @param outgoing - Its response.
   */
  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    outgoing.once("close", () => {
      if (!outgoing.writableFinished) this.#abort.abort();
    });
  }

  get method(): string {
    return this.#incoming.method ?? "";
  }

  get path(): string {
    const target = this.#incoming.url ?? "";
    const query = target.indexOf("?");
    return query === -1 ? target : target.slice(0, query);
  }

  get remoteAddress(): string | undefined {
    return this.#incoming.socket.remoteAddress;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get streaming(): boolean {
    return this.#outgoing.headersSent;
  }

  get request(): Request {
    const headers = new Headers();
    const { rawHeaders } = this.#incoming;
    for (let at = 0; at + 1 < rawHeaders.length; at += 2)
      headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
    const url = new URL(this.#incoming.url ?? "/", `http://${this.header("host") ?? "localhost"}`);
    return new Request(url, { method: this.method, headers, signal: this.signal });
  }

  header(name: string): string | undefined {
    const value = this.#incoming.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }

  readBody(maxBytes: number): Promise<Body> {
    if (Number(this.header("content-length") ?? 0) > maxBytes)
      return Promise.resolve({ kind: "too_large" });
    return new Promise((resolve) => {
      const incoming = this.#incoming;
      const chunks: Buffer[] = [];
      let bytes = 0;
      incoming.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxBytes) {
          chunks.length = 0;
          resolve({ kind: "too_large" });
        } else chunks.push(chunk);
      });
      incoming.once("end", () => {
        this.#isRead = true;
        const [first, second] = chunks;
        const whole = first !== undefined && second === undefined ? first : Buffer.concat(chunks);
        resolve(isUtf8(whole) ? { kind: "text", text: whole.toString() } : { kind: "unreadable" });
      });
      incoming.once("close", () => resolve({ kind: "unreadable" }));
      incoming.once("error", () => resolve({ kind: "unreadable" }));
    });
  }

  addHeader(name: string, value: string): void {
    this.#outgoing.setHeader(name, value);
  }

  answer(status: number, text: string, headers: AnswerHeaders = {}): void {
    const outgoing = this.#outgoing;
    if (outgoing.headersSent || outgoing.destroyed) return;
    const isCut = !this.#isRead && this.#hasBody();
    const ending = isCut ? { connection: "close" } : {};
    const length = { "content-length": Buffer.byteLength(text) };
    outgoing.writeHead(status, { ...headers, ...length, ...ending });
    outgoing.end(text);
    if (isCut) this.#linger();
  }

  async pass(response: Response): Promise<void> {
    const { status, headers, body } = response;
    const plain = Object.fromEntries(headers);
    if (body === null || !(headers.get("content-type") ?? "").startsWith("text/event-stream"))
      return this.answer(status, await response.text(), plain);
    const outgoing = this.#outgoing;
    if (outgoing.headersSent || outgoing.destroyed) return void body.cancel();
    outgoing.writeHead(status, plain);
    outgoing.flushHeaders();
    try {
      for await (const chunk of body)
        if (!outgoing.write(chunk)) await new Promise((resolve) => onceWritable(outgoing, resolve));
    } catch {
      // The stream was given up by what wrote it.
    }
    outgoing.end();
  }

  stream(text: string): void {
    const outgoing = this.#outgoing;
    if (outgoing.destroyed || outgoing.writableEnded) return;
    if (!outgoing.headersSent) outgoing.writeHead(200, streamHeaders);
    outgoing.write(text);
  }

  end(): void {
    this.#outgoing.end();
  }

  abort(): void {
    this.#abort.abort();
    const outgoing = this.#outgoing;
    if (outgoing.headersSent) outgoing.end();
    else outgoing.destroy();
  }

  #hasBody(): boolean {
    const { headers } = this.#incoming;
    return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  }

  /** Lets the rest of the body come in, to be thrown away, for a moment; then cuts the connection. */
  #linger(): void {
    this.#incoming.resume();
    const timer = setTimeout(() => this.#incoming.destroy(), lingerMs);
    timer.unref();
    this.#incoming.once("close", () => clearTimeout(timer));
  }
}

function onceWritable(outgoing: ServerResponse, proceed: (value: unknown) => void): void {
  outgoing.once("drain", proceed);
  outgoing.once("close", proceed);
}
