import { isPosternError } from "@postern/errors";
import {
  createCallContext,
  errorResult,
  findResultError,
  isInputRequired,
  isJsonObject,
  type Ask,
  type CallContext,
  type CallOutcome,
  type JsonObject,
  type JsonValue,
  type Listing,
  type Progress,
  type ToolResult,
  type ToolSet,
} from "@postern/tool";
import { checkArguments } from "../arguments/check-arguments.js";
import { serverErrors } from "../errors.js";
import type { ReportError } from "../identity.js";
import type { ReachableRequest } from "../round-trip/asker.js";
import type { RoundTrip } from "../round-trip/round-trip.js";
import { fitRefusal } from "./fit-refusal.js";
import { readCatalogue } from "./listings.js";
import { retryMetaKey, toCallerMeta, withoutReserved } from "./meta.js";

/** A call, or another request, as it came over the wire, shape-checked. */
export interface IncomingCall extends ReachableRequest {
  /** The request's `_meta`, whole. */
  readonly meta: unknown;
  /** Whether `grantedMetaKey` counts. Default: no. */
  readonly believesGrants?: boolean;
  /** Sends a progress notification; absent when the caller asked for none. */
  readonly notify?: (step: Progress) => void;
}

/** Whom a call is made on. */
export interface CallTarget {
  readonly tools: ToolSet;
  readonly validateArguments: boolean;
  readonly report: ReportError;
  readonly roundTrip: RoundTrip;
}

/**
 * Makes the context of a call or request that came over the wire.
 *
 * @param call - What is known of it.
 * @param ask - Asks a person. Default: nobody can be asked, and every question is answered with no.
 * @returns The context.
 */
export function createIncomingContext(
  call: Pick<IncomingCall, "meta" | "caller" | "signal" | "notify" | "retry" | "believesGrants">,
  ask?: Ask,
): CallContext {
  const meta = toCallerMeta(call.meta, call.believesGrants);
  const upstream = call.retry?.upstream;
  return createCallContext({
    caller: call.caller,
    signal: call.signal,
    meta: upstream === undefined ? meta : { ...meta, [retryMetaKey]: { ...upstream } },
    ...(ask === undefined ? {} : { ask }),
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

/** A tool call on its way in, and out again: its result, or what it needs to know first. */
export async function callTool(target: CallTarget, call: IncomingCall): Promise<CallOutcome> {
  if (target.validateArguments) {
    const { tools } = readCatalogue(await target.tools.list({ caller: call.caller }));
    const listing = tools.get(call.name);
    const refusal = listing === undefined ? undefined : checkArguments(listing, call.arguments);
    if (refusal !== undefined) return fitRefusal(errorResult(refusal), listing);
  }
  try {
    return await target.roundTrip.run(call, (ask) => callSet(target, call, ask));
  } catch (error) {
    // What keeps a question from being put is told like any other refusal.
    if (!isPosternError(error, serverErrors) || error.code !== "QUESTION_REFUSED") throw error;
    return fitRefusal(errorResult(error), await findTool(target, call));
  }
}

async function callSet(target: CallTarget, call: IncomingCall, ask: Ask): Promise<CallOutcome> {
  const outcome = await target.tools.call({
    name: call.name,
    arguments: call.arguments,
    context: createIncomingContext(call, ask),
  });
  const error = isJsonObject(outcome) ? findResultError(outcome) : undefined;
  if (error?.code === "INTERNAL_ERROR") target.report(error.cause ?? error);
  const clean = toCleanOutcome(outcome) ?? invalidResult(call.name);
  const isOurs = error !== undefined || findResultError(clean) !== undefined;
  return isOurs && !isInputRequired(clean)
    ? fitRefusal(clean, await findTool(target, call))
    : clean;
}

/**
 * Says that a call needs input, and that its client cannot be asked for any.
 *
 * @param target - Whom the call was made on.
 * @param call - The call.
 * @returns The error result.
 */
export async function refuseInput(
  target: Pick<CallTarget, "tools">,
  call: Pick<IncomingCall, "name" | "caller">,
): Promise<ToolResult> {
  return fitRefusal(errorResult(serverErrors.INPUT_UNAVAILABLE()), await findTool(target, call));
}

async function findTool(
  { tools }: Pick<CallTarget, "tools">,
  { name, caller }: Pick<IncomingCall, "name" | "caller">,
): Promise<Listing | undefined> {
  return readCatalogue(await tools.list({ caller })).tools.get(name);
}

function invalidResult(name: string): ToolResult {
  return errorResult(serverErrors.INVALID_RESULT({ name }));
}

/** What a server says in our name is taken out, also inside content; nothing is left of what is no tool result. */
function toCleanOutcome(outcome: CallOutcome): CallOutcome | undefined {
  if (!isJsonObject(outcome)) return undefined;
  if (isInputRequired(outcome)) return withoutReserved(outcome);
  const { content } = outcome as { readonly content?: JsonValue };
  if (!Array.isArray(content) || !(content as readonly JsonValue[]).every(isContentBlock))
    return undefined;
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
