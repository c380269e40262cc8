import {
  errorResult,
  findResultError,
  isInputRequired,
  isInputRequiredError,
  isJsonObject,
  type CallOutcome,
  type CallTool,
  type Interceptor,
  type JsonObject,
  type JsonValue,
  type ResolvedCall,
} from "@postern/tool";
import { isPosternError } from "@postern/errors";
import type { AuditLog } from "./audit-log.js";
import { auditErrors } from "./errors.js";
import { redact } from "./redact.js";

/** What is recorded of calls, and how. */
export interface AuditOptions {
  /** Where. */
  readonly log: AuditLog;
  /** Names of arguments whose values are recorded, redacted. Default: none; of all, type, size and a mark are. */
  readonly keep?: readonly string[];
  /** Whether a record before each call, and the one after it, wait for the disk. Default: false. */
  readonly durable?: boolean;
  /** What becomes of calls that cannot be recorded: refused with `AUDIT_FAILED`, or made and reported. Default: `refuse`. */
  readonly onFailure?: "refuse" | "report";
  /** Gets what could not be recorded. */
  readonly onError?: (error: unknown) => void;
  /** The clock, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/**
 * Makes what records every call: who called what, how it ended, and how long it took. Arguments are recorded as names,
 * types, sizes and a mark that only this audit's key can make. Place it outermost.
 *
 * @param options - Where and how.
 * @returns The interceptor.
 */
export function audit(options: AuditOptions): Interceptor {
  const recorder = new Recorder(options);
  return (next) => (call) => recorder.run(call, next);
}

class Recorder {
  readonly #options: AuditOptions;
  readonly #kept: ReadonlySet<string>;
  #failure: unknown;

  constructor(options: AuditOptions) {
    this.#options = options;
    this.#kept = new Set(options.keep);
  }

  async run(call: ResolvedCall, next: CallTool): Promise<CallOutcome> {
    const { durable = false, onFailure = "refuse", now = Date.now } = this.#options;
    const start = now();
    const who = this.#describe(call);
    if (durable) await this.#record({ event: "call", time: start, ...who });
    // What an earlier call could not be recorded for stands for the next one as well.
    if (this.#failure !== undefined && onFailure === "refuse")
      return errorResult(auditErrors.AUDIT_FAILED({ reason: toReason(this.#failure) }));
    let end: JsonObject = { outcome: "rejected" };
    try {
      const outcome = await next(call);
      end = describeOutcome(outcome);
      return outcome;
    } catch (error) {
      end = describeError(error);
      throw error;
    } finally {
      const time = now();
      const kept = this.#record({ event: "result", time, ms: time - start, ...who, ...end });
      if (durable) await kept;
    }
  }

  #describe({ name, method, listing, arguments: given, context }: ResolvedCall): JsonObject {
    const { kind, id } = context.caller;
    return {
      caller: { kind, id },
      server: listing.server,
      tool: name,
      method,
      arguments: Object.entries(given).map(([key, value]) =>
        this.#describeValue(key, value ?? null),
      ),
    };
  }

  #describeValue(name: string, value: JsonValue): JsonObject {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return {
      name: redact(name.slice(0, 200)),
      type: value === null ? "null" : Array.isArray(value) ? "array" : typeof value,
      size: text.length,
      mark: this.#options.log.mark({ value }).slice(0, 32),
      ...(this.#kept.has(name) ? { value: redact(text.slice(0, 1_000)) } : {}),
    };
  }

  async #record(entry: JsonObject): Promise<void> {
    try {
      await this.#options.log.record(entry, { durable: this.#options.durable ?? false });
    } catch (error) {
      this.#failure = error;
      this.#options.onError?.(error);
    }
  }
}

function describeOutcome(outcome: CallOutcome): JsonObject {
  if (isInputRequired(outcome)) return { outcome: "input_required" };
  const refusal = findResultError(outcome);
  if (refusal !== undefined) return { outcome: "refused", code: refusal.code };
  if (outcome.isError !== true) return { outcome: "ok" };
  const { structuredContent } = outcome;
  const code = isJsonObject(structuredContent) ? structuredContent["code"] : undefined;
  return {
    outcome: "error",
    ...(typeof code === "string" ? { code: redact(code.slice(0, 100)) } : {}),
  };
}

function describeError(error: unknown): JsonObject {
  if (isInputRequiredError(error)) return { outcome: "input_required" };
  return { outcome: "rejected", code: isPosternError(error) ? error.code : "INTERNAL_ERROR" };
}

function toReason(error: unknown): string {
  return isPosternError(error) ? error.code : "unknown reason";
}
