import { toolErrors, type ToolSet } from "@postern/tool";
import { createChangeWatch, toChangeMethod } from "../protocol/changes.js";
import { parsePlainCall, type PlainCall } from "../protocol/plain-call.js";
import { createSdkServer } from "../protocol/sdk-server.js";
import { createMcpHandler, type McpHttpHandler, type ServerEvent } from "../sdk.js";
import { CallAnswerer, type Accepted, type HttpServing } from "./call-answerer.js";
import { createSdkRequest, isEventStream, toEvent, type Exchange } from "./exchange.js";
import { KeepAlive } from "./keep-alive.js";
import { LegacySessions, sessionHeader } from "./legacy-session.js";
import { PushedQuestions } from "./pushed-questions.js";

const maxStreams = 1_024;

/**
 * MCP on top of exchanges. A well-formed tool call of either era is answered here; everything else, and everything
 * wrong, goes to the SDK's stateless handler.
 */
export class McpOverHttp {
  readonly #serving: HttpServing;
  readonly #keepAlive = new KeepAlive();
  readonly #sessions = new LegacySessions();
  readonly #pushed = new PushedQuestions();
  readonly #calls: CallAnswerer;
  readonly #accepted = new WeakMap<object, Accepted & { readonly only: string | undefined }>();
  #handlers = new WeakMap<ToolSet, McpHttpHandler>();
  /** Open streams, each with the SDK handler it belongs to, if any. */
  readonly #streams = new Map<Exchange, McpHttpHandler | undefined>();

  /** @param serving - What is served. */
  constructor(serving: HttpServing) {
    this.#serving = serving;
    this.#calls = new CallAnswerer(serving, this.#pushed);
  }

  /** Answers one message, or one batch of the revisions that had batches. */
  async post(accepted: Accepted, body: unknown): Promise<void> {
    const { exchange, caller } = accepted;
    if (this.#pushed.deliver(accepted, body)) return exchange.answer(202, "");
    this.#sessions.cancel(exchange, caller, body);
    const running = this.#sessions.add(exchange, caller, body);
    try {
      const call = parsePlainCall(body, (name) => exchange.header(name));
      await (call === undefined ? this.#passToSdk(accepted, body) : this.#answer(accepted, call));
    } finally {
      running?.[Symbol.dispose]();
    }
  }

  /** Opens the stream on which clients before 2026-07-28 are told of changes. */
  openChangeStream({ exchange, tools }: Accepted): boolean {
    if (this.#streams.size >= maxStreams) return false;
    this.#streams.set(exchange, undefined);
    this.#keepAlive.add(exchange);
    const watch = createChangeWatch(tools, (changed) =>
      exchange.stream(toEvent(JSON.stringify({ jsonrpc: "2.0", method: toChangeMethod(changed) }))),
    );
    exchange.stream(": open\n\n");
    onAbort(exchange.signal, () => {
      watch[Symbol.dispose]();
      this.#keepAlive.delete(exchange);
      this.#streams.delete(exchange);
    });
    return true;
  }

  /** Ends every stream in the way its revision has for it; calls go on. */
  async drain(): Promise<void> {
    const streams = [...this.#streams];
    this.#streams.clear();
    // A closed handler serves no more; whoever comes after gets a new one.
    this.#handlers = new WeakMap();
    const closing: Promise<void>[] = [];
    for (const [exchange, handler] of streams)
      if (handler === undefined) exchange.abort();
      else closing.push(handler.close());
    await Promise.all(closing);
  }

  async #answer(accepted: Accepted, call: PlainCall): Promise<void> {
    const { exchange } = accepted;
    const isStreamable = /text\/event-stream|\*\/\*/.test(exchange.header("accept") ?? "*/*");
    if (isStreamable) this.#keepAlive.add(exchange);
    try {
      await this.#calls.answer(accepted, call);
    } finally {
      this.#keepAlive.delete(exchange);
    }
  }

  async #passToSdk(accepted: Accepted, body: unknown): Promise<void> {
    const { exchange, tools } = accepted;
    const handler = this.#findHandler(tools);
    const request = createSdkRequest(exchange);
    const only = findMethod(body);
    this.#accepted.set(request, { ...accepted, only });
    const response = await handler.fetch(request, { parsedBody: body });
    if (only === "subscriptions/listen" && isEventStream(response)) {
      this.#streams.set(exchange, handler);
      onAbort(exchange.signal, () => this.#streams.delete(exchange));
    }
    if (only === "initialize" && response.ok)
      exchange.addHeader(sessionHeader, this.#sessions.createName(body));
    await exchange.pass(response);
  }

  #findHandler(tools: ToolSet): McpHttpHandler {
    const known = this.#handlers.get(tools);
    if (known !== undefined) return known;
    const { identity, validateArguments, report, roundTrip } = this.#serving;
    const handler = createMcpHandler(
      ({ era, requestInfo }) => {
        const accepted = requestInfo === undefined ? undefined : this.#accepted.get(requestInfo);
        if (accepted === undefined) throw toolErrors.INTERNAL_ERROR();
        const { caller, only } = accepted;
        const shared = { identity, tools, caller, era, validateArguments, report, roundTrip };
        // The SDK's answer is one exchange: it could carry a request, but no way leads back to it.
        const serving = { ...shared, canSend: false };
        // One posted batch may hold several methods; only a single modern request is known by its method.
        return createSdkServer(
          era === "modern" && only !== undefined ? { ...serving, only } : serving,
        );
      },
      { onerror: report, bus: createChangeBus(tools), maxSubscriptions: maxStreams },
    );
    this.#handlers.set(tools, handler);
    return handler;
  }
}

/** Listens to the set for as long as somebody listens to us. */
function createChangeBus(tools: ToolSet): {
  publish(event: ServerEvent): void;
  subscribe(listener: (event: ServerEvent) => void): () => void;
} {
  const listeners = new Set<(event: ServerEvent) => void>();
  const publish = (event: ServerEvent): void => {
    for (const listener of listeners) listener(event);
  };
  let watch: Disposable | undefined;
  return {
    publish,
    subscribe(listener) {
      listeners.add(listener);
      watch ??= createChangeWatch(tools, (changed) => publish({ kind: `${changed}_list_changed` }));
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        watch?.[Symbol.dispose]();
        watch = undefined;
      };
    },
  };
}

function findMethod(body: unknown): string | undefined {
  const method =
    typeof body === "object" && body !== null && "method" in body ? body.method : undefined;
  return typeof method === "string" ? method : undefined;
}

function onAbort(signal: AbortSignal, listener: () => void): void {
  if (signal.aborted) listener();
  else signal.addEventListener("abort", listener, { once: true });
}
