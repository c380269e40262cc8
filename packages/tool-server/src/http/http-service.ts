import { isPosternError } from "@postern/errors";
import { isJsonObject, toolErrors, type Caller, type ToolSet } from "@postern/tool";
import { findHeaderCheck, type Authenticate } from "../bearer.js";
import { serverErrors } from "../errors.js";
import type { Serve } from "../identity.js";
import type { HttpServing } from "./call-answerer.js";
import { findPreflight, readableHeaders } from "./cross-origin.js";
import type { Door } from "./door.js";
import type { ExchangeFace } from "./exchange-face.js";
import type { Exchange } from "./exchange.js";
import { FailedCredentials } from "./failed-credentials.js";
import { McpOverHttp } from "./mcp-over-http.js";
import { writeRefusal, type Refusal } from "./refusal.js";

/** Everything an endpoint is made of. */
export interface HttpServiceParts extends HttpServing {
  readonly tools: Serve;
  readonly door: Door;
  readonly authenticate: Authenticate | undefined;
  /** Who everybody is without `authenticate`. */
  readonly caller: Caller;
  readonly maxBodyBytes: number;
}

const unauthenticated = serverErrors.UNAUTHENTICATED();
const methodNotAllowed: Refusal = {
  status: 405,
  error: serverErrors.METHOD_NOT_ALLOWED(),
  headers: { allow: "POST" },
};
const unsupportedMediaType: Refusal = { status: 415, error: serverErrors.UNSUPPORTED_MEDIA_TYPE() };
const unreadable: Refusal = { status: 400, error: serverErrors.BODY_UNREADABLE() };
const invalidMessage: Refusal = { status: 400, error: serverErrors.INVALID_MESSAGE() };
const tooManyStreams: Refusal = { status: 503, error: serverErrors.TOO_MANY_STREAMS() };
const closing: Refusal = { status: 503, error: serverErrors.SERVER_CLOSED() };

const modernVersion = "2026-07-28";

/** The order in which a request is looked at: door, credential, method and type, size, message. */
export class HttpService implements ExchangeFace {
  readonly #parts: HttpServiceParts;
  readonly #mcp: McpOverHttp;
  readonly #failures = new FailedCredentials();
  readonly #running = new Set<Exchange>();
  #closed = false;

  /** @param parts - What it is made of. */
  constructor(parts: HttpServiceParts) {
    this.#parts = parts;
    this.#mcp = new McpOverHttp(parts);
  }

  async handle(exchange: Exchange): Promise<void> {
    this.#running.add(exchange);
    try {
      const refusal = await this.#serve(exchange);
      if (refusal !== undefined) writeRefusal(exchange, refusal);
    } catch (error) {
      if (!isPosternError(error)) this.#parts.report(error);
      const known = isPosternError(error) ? error : toolErrors.INTERNAL_ERROR();
      writeRefusal(exchange, { status: 500, error: known });
    } finally {
      this.#running.delete(exchange);
    }
  }

  drain(): Promise<void> {
    return this.#mcp.drain();
  }

  /** Ends every stream and call. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#mcp.drain();
    for (const exchange of this.#running) exchange.abort();
  }

  async #serve(exchange: Exchange): Promise<Refusal | undefined> {
    const { door } = this.#parts;
    const refused = door.check(exchange);
    if (refused !== undefined) return refused;
    if (this.#closed) return closing;
    const origin = exchange.header("origin");
    if (origin !== undefined && door.isNamedOrigin(origin)) {
      for (const [name, value] of readableHeaders(origin)) exchange.addHeader(name, value);
      const preflight = findPreflight(exchange);
      if (preflight !== undefined) {
        exchange.answer(204, "", preflight);
        return undefined;
      }
    }
    const caller = await this.#identify(exchange);
    if ("status" in caller) return caller;
    return exchange.method === "POST"
      ? this.#servePost(exchange, caller)
      : this.#serveGet(exchange, caller);
  }

  async #identify(exchange: Exchange): Promise<Caller | Refusal> {
    const { authenticate, caller } = this.#parts;
    if (authenticate === undefined) return caller;
    const byHeader = findHeaderCheck(authenticate);
    const known =
      byHeader === undefined
        ? await authenticate(exchange.request)
        : byHeader(exchange.header("authorization"));
    if (known !== undefined) return known;
    const isTried = exchange.header("authorization") !== undefined;
    // The right credential is never locked out: on loopback every local process shares one address.
    const retryAfterSeconds =
      isTried && exchange.remoteAddress !== undefined
        ? this.#failures.add(exchange.remoteAddress)
        : 0;
    if (retryAfterSeconds > 0)
      return {
        status: 429,
        error: serverErrors.TOO_MANY_FAILURES({ retryAfterSeconds }),
        headers: { "retry-after": String(retryAfterSeconds) },
      };
    const challenge = isTried ? 'Bearer error="invalid_token"' : "Bearer";
    return {
      status: 401,
      error: unauthenticated,
      headers: { "www-authenticate": challenge },
    };
  }

  async #servePost(exchange: Exchange, caller: Caller): Promise<Refusal | undefined> {
    const { maxBodyBytes } = this.#parts;
    if (!isJson(exchange.header("content-type"))) return unsupportedMediaType;
    const read = await exchange.readBody(maxBodyBytes);
    if (read.kind === "too_large")
      return { status: 413, error: serverErrors.BODY_TOO_LARGE({ maxBytes: maxBodyBytes }) };
    const body = read.kind === "text" ? parseJson(read.text) : undefined;
    if (body === undefined) return unreadable;
    if (hasRepeatedId(body)) return invalidMessage;
    await this.#mcp.post({ exchange, caller, tools: await this.#findTools(caller) }, body);
    return undefined;
  }

  /** The stream of changes of the revisions before 2026-07-28; newer clients listen by a POST. */
  async #serveGet(exchange: Exchange, caller: Caller): Promise<Refusal | undefined> {
    const isListening =
      exchange.method === "GET" &&
      exchange.header("mcp-protocol-version") !== modernVersion &&
      (exchange.header("accept") ?? "").includes("text/event-stream");
    if (!isListening) return methodNotAllowed;
    const tools = await this.#findTools(caller);
    return this.#mcp.openChangeStream({ exchange, caller, tools }) ? undefined : tooManyStreams;
  }

  async #findTools(caller: Caller): Promise<ToolSet> {
    const { tools } = this.#parts;
    return typeof tools === "function" ? tools(caller) : tools;
  }
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/json\s*(?:;|$)/i.test(contentType ?? "");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Two requests of one batch under one id: the answers could not be told apart, and one of them would get none. */
function hasRepeatedId(body: unknown): boolean {
  if (!Array.isArray(body)) return false;
  const ids = (body as readonly unknown[]).flatMap((message) =>
    isJsonObject(message) && message["id"] !== undefined ? [JSON.stringify(message["id"])] : [],
  );
  return new Set(ids).size < ids.length;
}
