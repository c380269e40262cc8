import {
  createCallContext,
  errorResult,
  findResultError,
  isInputRequired,
  isJsonObject,
  type CallContext,
  type Caller,
  type CallOutcome,
  type JsonObject,
  type JsonValue,
  type Progress,
  type ToolSet,
} from "@postern/tool";
import { checkArguments } from "../arguments/check-arguments.js";
import { serverErrors } from "../errors.js";
import type { ReportError } from "../identity.js";
import { readCatalogue } from "./listings.js";
import { toCallerMeta, withoutReserved } from "./meta.js";

/** A call as it came over the wire, shape-checked. */
export interface IncomingCall {
  readonly name: string;
  readonly arguments: JsonObject;
  /** The request's `_meta`, whole. */
  readonly meta: unknown;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  /** Sends a progress notification; absent when the caller asked for none. */
  readonly notify?: (step: Progress) => void;
}

/** Whom a call is made on. */
export interface CallTarget {
  readonly tools: ToolSet;
  readonly validateArguments: boolean;
  readonly report: ReportError;
}

/**
 * Makes the context of a call or request that came over the wire. Nobody can be asked yet, so every question of an
 * interceptor is answered with no: the call fails closed.
 *
 * @param call - What is known of it.
 * @returns The context.
 */
export function createIncomingContext(
  call: Pick<IncomingCall, "meta" | "caller" | "signal" | "notify">,
): CallContext {
  return createCallContext({
    caller: call.caller,
    signal: call.signal,
    meta: toCallerMeta(call.meta),
    ...(call.notify === undefined ? {} : { progress: createProgress(call.notify) }),
  });
}

/** Lets only steps through that grow, as the protocol demands; a tool that goes back is not heard. */
function createProgress(notify: (step: Progress) => void): CallContext["progress"] {
  let last = Number.NEGATIVE_INFINITY;
  return (step) => {
    if (!Number.isFinite(step.progress) || step.progress <= last) return;
    last = step.progress;
    notify(step);
  };
}

/** A tool call on its way in, and out again. */
export async function callTool(target: CallTarget, call: IncomingCall): Promise<CallOutcome> {
  if (target.validateArguments) {
    const { tools } = readCatalogue(await target.tools.list({ caller: call.caller }));
    const listing = tools.get(call.name);
    const refusal = listing === undefined ? undefined : checkArguments(listing, call.arguments);
    if (refusal !== undefined) return errorResult(refusal);
  }
  const outcome = await target.tools.call({
    name: call.name,
    arguments: call.arguments,
    context: createIncomingContext(call),
  });
  if (!isJsonObject(outcome)) return errorResult(serverErrors.INVALID_RESULT({ name: call.name }));
  const error = findResultError(outcome);
  if (error?.code === "INTERNAL_ERROR") target.report(error.cause ?? error);
  return toCleanOutcome(call.name, outcome);
}

/** What a server says in our name is taken out, also inside content; what is no tool result does not pass. */
function toCleanOutcome(name: string, outcome: CallOutcome): CallOutcome {
  if (isInputRequired(outcome)) return withoutReserved(outcome);
  const { content } = outcome as { readonly content?: JsonValue };
  if (!Array.isArray(content) || !(content as readonly JsonValue[]).every(isContentBlock))
    return errorResult(serverErrors.INVALID_RESULT({ name }));
  const clean = (content as readonly JsonObject[]).map(toCleanBlock);
  const same = clean.every((block, at) => block === content[at]);
  const result: JsonObject = same ? outcome : { ...outcome, content: clean };
  return withoutReserved(result) as CallOutcome;
}

function isContentBlock(block: JsonValue): boolean {
  return isJsonObject(block) && typeof block["type"] === "string";
}

function toCleanBlock(block: JsonObject): JsonObject {
  const clean = withoutReserved(block);
  const { resource } = clean;
  if (!isJsonObject(resource)) return clean;
  const inner = withoutReserved(resource);
  return inner === resource ? clean : { ...clean, resource: inner };
}
