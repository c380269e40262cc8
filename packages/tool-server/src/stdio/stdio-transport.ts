import { isUtf8 } from "node:buffer";
import type { Readable, Writable } from "node:stream";
import { isJsonObject, type JsonObject } from "@postern/tool";
import { serverErrors } from "../errors.js";
import type { ReportError } from "../identity.js";
import { invalidRequestCode, parseErrorCode, toRpcError } from "../protocol/rpc-error.js";
import type { JSONRPCMessage, Transport } from "../sdk.js";
import { LineReader, type Line } from "./line-reader.js";

/** Where a transport reads and writes. */
export interface TransportStreams {
  readonly input: Readable;
  readonly output: Writable;
  readonly report: ReportError;
}

const maxLineBytes = 64 * 1024 * 1024;

/** How long calls may still answer once the client has closed our input. */
const answerGraceMs = 500;

/**
 * MCP over two streams: one JSON message a line. Only messages are ever written. A line that is no message is
 * answered with an error and does no more harm.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Resolves when nothing more is read or written. */
  readonly closed: Promise<void>;
  readonly #streams: TransportStreams;
  readonly #lines = new LineReader(maxLineBytes);
  /** Requests that are not answered yet. */
  readonly #pending = new Set<string | number>();
  #resolveClosed: () => void = () => undefined;
  #isClosed = false;
  #hasEnded = false;

  /** @param streams - Where to read and write. */
  constructor(streams: TransportStreams) {
    this.#streams = streams;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  start(): Promise<void> {
    const { input, output } = this.#streams;
    input.on("data", this.#onData);
    input.once("end", this.#onEnd);
    input.once("close", this.#onEnd);
    input.on("error", this.#onBroken);
    // Stays for good: an error of a late write would end the process if nobody heard it.
    output.on("error", this.#onBroken);
    if (input.readableEnded || input.destroyed) setImmediate(this.#onEnd);
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    const written = this.#write(`${this.#toText(message)}\n`);
    const { id, method } = message as { readonly id?: string | number; readonly method?: string };
    if (method === undefined && id !== undefined) this.#settle(id);
    return written;
  }

  /** A result that JSON cannot hold, such as one nested beyond the stack, must not leave its caller waiting. */
  #toText(message: JSONRPCMessage): string {
    try {
      return JSON.stringify(message);
    } catch (cause) {
      const { id } = message as { readonly id?: string | number };
      if (id === undefined || "method" in message) throw cause;
      this.#streams.report(cause);
      return JSON.stringify({ jsonrpc: "2.0", id, error: toRpcError(cause) });
    }
  }

  close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      const { input } = this.#streams;
      input.off("data", this.#onData);
      input.off("end", this.#onEnd);
      input.off("close", this.#onEnd);
      // An open input would keep the process alive.
      input.pause();
      this.onclose?.();
      this.#resolveClosed();
    }
    return this.closed;
  }

  readonly #onData = (chunk: Buffer | string): void => {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    for (const line of this.#lines.push(bytes)) this.#read(line);
  };

  readonly #onEnd = (): void => {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#pending.size === 0) return void this.close();
    // `printf '…' | server` gets its answers; a call that takes longer is aborted, for nobody waits for it.
    setTimeout(() => void this.close(), answerGraceMs);
  };

  readonly #onBroken = (error: Error): void => {
    if (this.#isClosed) return;
    this.onerror?.(error);
    void this.close();
  };

  #read(line: Line): void {
    if (line.kind === "too_long") {
      const { maxBytes } = line;
      return this.#refuse(invalidRequestCode, serverErrors.BODY_TOO_LARGE({ maxBytes }));
    }
    if (line.bytes.length === 0 || isBlank(line.bytes)) return;
    const message = parseMessage(line.bytes);
    if (message === undefined) return this.#refuse(parseErrorCode, serverErrors.BODY_UNREADABLE());
    if (!isMessage(message))
      return this.#refuse(invalidRequestCode, serverErrors.INVALID_MESSAGE());
    this.#track(message);
    this.onmessage?.(message as unknown as JSONRPCMessage);
  }

  #track(message: JsonObject): void {
    const { id, method, params } = message;
    if (typeof method !== "string") return;
    if (typeof id === "string" || typeof id === "number") {
      // A subscription is a request that stays open; it must not hold up the end.
      if (method !== "subscriptions/listen") this.#pending.add(id);
    } else if (method === "notifications/cancelled" && isJsonObject(params)) {
      const { requestId } = params;
      if (typeof requestId === "string" || typeof requestId === "number") this.#settle(requestId);
    }
  }

  #settle(id: string | number): void {
    this.#pending.delete(id);
    if (this.#hasEnded && this.#pending.size === 0) void this.close();
  }

  #refuse(code: number, problem: Parameters<typeof toRpcError>[0]): void {
    const { message, data } = toRpcError(problem);
    this.#streams.report(problem);
    void this.#write(
      `${JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message, data } })}\n`,
    );
  }

  #write(text: string): Promise<void> {
    const { output } = this.#streams;
    if (output.destroyed || output.writableEnded) return Promise.resolve();
    if (output.write(text)) return Promise.resolve();
    return new Promise((resolve) => {
      const proceed = (): void => {
        output.off("drain", proceed);
        output.off("close", proceed);
        resolve();
      };
      output.once("drain", proceed);
      output.once("close", proceed);
    });
  }
}

function isBlank(bytes: Buffer): boolean {
  return bytes.length < 3 && bytes.toString("latin1").trim() === "";
}

function parseMessage(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) return undefined;
  try {
    return JSON.parse(bytes.toString()) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether a value has the outline of a message; the SDK looks closer. */
function isMessage(value: unknown): value is JsonObject {
  if (!isJsonObject(value) || value["jsonrpc"] !== "2.0") return false;
  const { id, method, params } = value;
  if (id !== undefined && typeof id !== "string" && !Number.isSafeInteger(id)) return false;
  if (params !== undefined && !isJsonObject(params)) return false;
  if (method !== undefined) return typeof method === "string";
  return id !== undefined && (isJsonObject(value["result"]) || isJsonObject(value["error"]));
}
