import {
  isInputRequired,
  type Caller,
  type CallOutcome,
  type JsonObject,
  type Progress,
  type ToolSet,
} from "@postern/tool";
import type { ReportError, ServerIdentity } from "../identity.js";
import { callTool, refuseInput } from "../protocol/call-tool.js";
import { checkInputRequests } from "../protocol/input-gate.js";
import { clientCapabilitiesKey, serverInfoKey } from "../protocol/meta.js";
import type { RoundTrip } from "../round-trip/round-trip.js";
import type { PlainCall } from "../protocol/plain-call.js";
import { missingCapabilityCode, toRpcError, type RpcError } from "../protocol/rpc-error.js";
import { toImplementation, toLegacyResult } from "../protocol/sdk-server.js";
import { Server, type Implementation } from "../sdk.js";
import { jsonHeaders, toEvent, type Exchange } from "./exchange.js";
import type { PushedQuestions } from "./pushed-questions.js";

/** What is served over HTTP, and how. */
export interface HttpServing {
  readonly identity: ServerIdentity;
  readonly validateArguments: boolean;
  readonly report: ReportError;
  readonly roundTrip: RoundTrip;
}

/** A request that was let in: who sent it, and what serves it. */
export interface Accepted {
  readonly exchange: Exchange;
  readonly caller: Caller;
  readonly tools: ToolSet;
}

/** Either half of a JSON-RPC response. */
type Answer = { readonly result: JsonObject } | { readonly error: RpcError };

/** Answers plain tool calls, in the words the SDK would use. */
export class CallAnswerer {
  readonly #serving: HttpServing;
  readonly #serverInfo: Implementation;
  /** Asked only to write results as older clients need them; never connected. */
  readonly #projector: Server;

  readonly #pushed: PushedQuestions;

  /**
   * @param serving - What is served.
   * @param pushed - Asks clients before 2026-07-28.
   */
  constructor(serving: HttpServing, pushed: PushedQuestions) {
    const info = toImplementation(serving.identity);
    this.#serving = serving;
    this.#pushed = pushed;
    this.#serverInfo = info;
    this.#projector = new Server(info, { capabilities: {} });
  }

  /** Makes the call and writes its answer: JSON, or the last event where progress has opened a stream. */
  async answer(accepted: Accepted, call: PlainCall): Promise<void> {
    const { exchange } = accepted;
    let answer: Answer;
    let text: string;
    try {
      answer = await this.#call(accepted, call);
      text = writeAnswer(answer, call.id);
    } catch (cause) {
      answer = { error: toRpcError(cause) };
      if (answer.error.data["error"] === "INTERNAL_ERROR") this.#serving.report(cause);
      text = writeAnswer(answer, call.id);
    }
    if (exchange.streaming) {
      exchange.stream(toEvent(text));
      exchange.end();
      return;
    }
    const isRefused = "error" in answer && answer.error.code === missingCapabilityCode;
    exchange.answer(isRefused ? 400 : 200, text, jsonHeaders);
  }

  async #call({ exchange, caller, tools }: Accepted, call: PlainCall): Promise<Answer> {
    const { validateArguments, report, roundTrip } = this.#serving;
    const { name, arguments: args, meta, progressToken, era } = call;
    const incoming = {
      method: "tools/call",
      name,
      arguments: args,
      meta,
      caller,
      signal: exchange.signal,
      era,
      ...(era === "modern"
        ? { capabilities: meta[clientCapabilitiesKey] }
        : this.#pushed.findReach(exchange, caller)),
    };
    const outcome = await callTool(
      { tools, validateArguments, report, roundTrip },
      progressToken === undefined
        ? incoming
        : { ...incoming, notify: (step) => writeProgress(exchange, progressToken, step) },
    );
    if (call.era === "modern") return this.#toModernAnswer(outcome, meta);
    const named = {
      name,
      outcome: isInputRequired(outcome) ? await refuseInput({ tools }, { name, caller }) : outcome,
    };
    return { result: await toLegacyResult({ tools, caller }, this.#projector, named) };
  }

  /** As the SDK stamps a result: of what type it is, and who answers. */
  #toModernAnswer(outcome: CallOutcome, meta: JsonObject): Answer {
    if (isInputRequired(outcome)) {
      const error = checkInputRequests(outcome, meta[clientCapabilitiesKey]);
      if (error !== undefined) return { error };
    }
    const resultMeta = outcome["_meta"] as JsonObject | undefined;
    return {
      result: {
        ...outcome,
        resultType: isInputRequired(outcome) ? "input_required" : "complete",
        _meta: { ...resultMeta, [serverInfoKey]: this.#serverInfo },
      },
    };
  }
}

function writeAnswer(answer: Answer, id: string | number): string {
  return JSON.stringify({ ...answer, jsonrpc: "2.0", id });
}

function writeProgress(exchange: Exchange, progressToken: string | number, step: Progress): void {
  const params = { progressToken, ...step };
  const method = "notifications/progress";
  exchange.stream(toEvent(JSON.stringify({ method, params, jsonrpc: "2.0" })));
}
