import type { JsonObject, Progress } from "@postern/tool";
import { unwatchAbort, watchAbort, type Abortable } from "./abort-watch.js";
import type { JSONRPCMessage, MessageExtraInfo, Transport, TransportSendOptions } from "../sdk.js";

/** A JSON-RPC answer as the server wrote it. */
export interface Reply {
  readonly result?: unknown;
  readonly error?: unknown;
}

/** A message without an answer, as the server wrote it. */
export interface ServerNotification {
  readonly method: string;
  readonly params?: unknown;
}

/** What one request is sent with. */
export interface WireRequest {
  readonly method: string;
  readonly params: JsonObject;
  /** 0: no limit. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((step: Progress) => void) | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** What a request resolves to when its limit passed. */
export const timedOut: unique symbol = Symbol("timed out");

/** The SDK numbers its requests from 0; ours begin where it never gets, so that both share one connection. */
const firstId = 1_000_000_000;

const noParams: JsonObject = Object.freeze({});

/** One request that waits. */
class PendingRequest implements Abortable {
  readonly wire: Wire;
  readonly id: number;
  readonly request: WireRequest;
  readonly resolve: (reply: Reply | typeof timedOut) => void;
  readonly reject: (reason: unknown) => void;
  timer: ReturnType<typeof setTimeout> | undefined;
  stream: AbortController | undefined;

  constructor(
    wire: Wire,
    request: WireRequest,
    settle: Pick<PendingRequest, "id" | "resolve" | "reject">,
  ) {
    this.wire = wire;
    this.request = request;
    this.id = settle.id;
    this.resolve = settle.resolve;
    this.reject = settle.reject;
  }

  onAbort(): void {
    this.wire.cancel(this, "the caller gave up");
    this.reject(this.request.signal?.reason);
  }
}

function expire(pending: PendingRequest): void {
  pending.wire.cancel(pending, "the time limit passed");
  pending.resolve(timedOut);
}

/**
 * A transport with two users: the SDK, which shakes hands and answers the server, and the pool, whose requests go
 * past it. So results come back as the server wrote them, whatever the SDK's schemas know, and one bad listing
 * spoils no list.
 */
export class Wire implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  /** Told once when the connection is gone; before that, requests that wait have been rejected. */
  onlost?: () => void;
  /** Told every notification but progress of our requests. */
  onnotification?: (notification: ServerNotification) => void;
  /** Added to `params._meta` of every message in the modern era. */
  envelope: JsonObject | undefined;
  /** Builds what waiting requests reject with when the connection goes. */
  toLostError: () => unknown = () => new DOMException("The connection is gone.");

  readonly #inner: Transport;
  readonly #pending = new Map<number, PendingRequest>();
  #nextId = firstId;
  #started: Promise<void> | undefined;
  #lost = false;

  constructor(inner: Transport) {
    this.#inner = inner;
    // The SDK tells commands from URLs by these two, and lets a command that ignores its question be a legacy one.
    if ("pid" in inner) Object.assign(this, { pid: null, stderr: null });
    Object.assign(inner, {
      onclose: () => this.#close(),
      onerror: (error: Error) => this.onerror?.(error),
      onmessage: (message: JSONRPCMessage, extra?: MessageExtraInfo) =>
        this.#receive(message, extra),
    } satisfies Partial<Transport>);
  }

  get hasPerRequestStream(): boolean {
    return this.#inner.hasPerRequestStream === true;
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  /** True once the connection is gone. */
  get lost(): boolean {
    return this.#lost;
  }

  /** Starts the connection; asked again, it is the same start. */
  start(): Promise<void> {
    this.#started ??= this.#inner.start();
    return this.#started;
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    return this.#inner.send(message, options);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  /**
   * Sends a request of ours.
   *
   * @returns The server's answer, untouched, or `timedOut`.
   * @throws What `toLostError` builds, the reason of the signal, or what the transport's `send` rejected with.
   */
  request(request: WireRequest): Promise<Reply | typeof timedOut> {
    const { signal, timeoutMs } = request;
    if (this.#lost) return Promise.reject(this.toLostError());
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      const pending = new PendingRequest(this, request, { id, resolve, reject });
      this.#pending.set(id, pending);
      if (timeoutMs > 0) pending.timer = setTimeout(expire, timeoutMs, pending);
      if (signal !== undefined) watchAbort(signal, pending);
      this.#post(pending);
    });
  }

  /** Stops waiting and tells the server. */
  cancel(pending: PendingRequest, reason: string): void {
    if (!this.#take(pending)) return;
    pending.stream?.abort();
    // In the modern era over HTTP the closed stream is the cancellation.
    if (pending.stream !== undefined && this.envelope !== undefined) return;
    this.#inner
      .send({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: {
          requestId: pending.id,
          reason,
          ...(this.envelope === undefined ? {} : { _meta: this.envelope }),
        },
      })
      .catch(() => undefined);
  }

  #post(pending: PendingRequest): void {
    const { id, request } = pending;
    const message = { jsonrpc: "2.0", id, method: request.method, params: this.#toParams(pending) };
    const fail = (error: unknown): void => {
      if (this.#take(pending)) pending.reject(error);
    };
    let options: TransportSendOptions | undefined;
    if (this.hasPerRequestStream) {
      pending.stream = new AbortController();
      options = {
        requestSignal: pending.stream.signal,
        // The SDK would let a request whose stream broke hang until its limit.
        onRequestStreamEnd: () => fail(this.toLostError()),
        headers: request.headers,
      };
    }
    try {
      this.#inner.send(message as JSONRPCMessage, options).catch(fail);
    } catch (error) {
      // What cannot be written as JSON must not leave a request that waits.
      fail(error);
    }
  }

  #toParams({ id, request: { params, progress } }: PendingRequest): JsonObject {
    if (progress === undefined && this.envelope === undefined) return params;
    const meta = {
      ...(params["_meta"] as JsonObject | undefined),
      ...this.envelope,
      ...(progress === undefined ? {} : { progressToken: id }),
    };
    return { ...params, _meta: meta };
  }

  /** Forgets a request; false when it is settled already. */
  #take(pending: PendingRequest): boolean {
    if (!this.#pending.delete(pending.id)) return false;
    if (pending.timer !== undefined) clearTimeout(pending.timer);
    const { signal } = pending.request;
    if (signal !== undefined) unwatchAbort(signal, pending);
    return true;
  }

  #receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    const { id, method } = message as { id?: unknown; method?: unknown };
    if (method === undefined && typeof id === "number" && id >= firstId) {
      const pending = this.#pending.get(id);
      if (pending !== undefined && this.#take(pending)) pending.resolve(message as Reply);
      return;
    }
    if (
      typeof method === "string" &&
      id === undefined &&
      this.#notify(message as ServerNotification)
    )
      return;
    this.onmessage?.(message, extra);
  }

  /** Takes a notification; true when it was about a request of ours, which the SDK knows nothing of. */
  #notify(notification: ServerNotification): boolean {
    if (notification.method !== "notifications/progress") {
      this.onnotification?.(notification);
      return false;
    }
    const params = (notification.params ?? noParams) as JsonObject;
    const token = params["progressToken"];
    if (typeof token !== "number" || token < firstId) return false;
    const step = toProgress(params);
    if (step !== undefined) this.#pending.get(token)?.request.progress?.(step);
    return true;
  }

  #close(): void {
    if (this.#lost) return;
    this.#lost = true;
    for (const pending of this.#pending.values())
      if (this.#take(pending)) pending.reject(this.toLostError());
    this.onclose?.();
    this.onlost?.();
  }
}

function toProgress(params: JsonObject): Progress | undefined {
  const { progress, total, message } = params;
  if (typeof progress !== "number") return undefined;
  return {
    progress,
    ...(typeof total === "number" ? { total } : {}),
    ...(typeof message === "string" ? { message } : {}),
  };
}
