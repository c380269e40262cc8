import {
  isInputRequired,
  isJsonObject,
  toolErrors,
  type Caller,
  type InputRequired,
  type JsonObject,
  type Progress,
  type ToolResult,
  type ToolSet,
} from "@postern/tool";
import { serverErrors } from "../errors.js";
import type { ReportError, ServerIdentity } from "../identity.js";
import type { Elicit } from "../round-trip/asker.js";
import { needsInput, type RoundTrip } from "../round-trip/round-trip.js";
import {
  ProtocolError,
  Server,
  type Implementation,
  type Result,
  type ServerCapabilities,
  type ServerContext,
} from "../sdk.js";
import { callTool, createIncomingContext, refuseInput, type IncomingCall } from "./call-tool.js";
import { checkInputRequests } from "./input-gate.js";
import { readCatalogue } from "./listings.js";
import { clientCapabilitiesKey } from "./meta.js";
import {
  answerRequest,
  findAskingName,
  findOffer,
  isServedMethod,
  type Offer,
} from "./requests.js";
import { toRpcError, type RpcError } from "./rpc-error.js";

/** `legacy`: 2025-11-25 and older, with a handshake. `modern`: 2026-07-28, without. */
export type Era = "legacy" | "modern";

/** What one SDK server instance serves. */
export interface Serving {
  readonly identity: ServerIdentity;
  readonly tools: ToolSet;
  readonly caller: Caller;
  readonly era: Era;
  readonly validateArguments: boolean;
  readonly report: ReportError;
  readonly roundTrip: RoundTrip;
  /** Whether requests can be sent to a client of the legacy era while one of its own waits. */
  readonly canSend: boolean;
  /** Whether `grantedMetaKey` counts. Default: no. */
  readonly believesGrants?: boolean;
  /** With a method, only that one is answered, so that the SDK answers an unknown one with HTTP 404. */
  readonly only?: string;
}

/**
 * Makes an SDK server for one request, or one stdio connection. The SDK negotiates, frames and checks envelopes;
 * what it would take out of listings, arguments and results it never sees, for ours is the fallback handler.
 *
 * @param serving - What is served, and to whom.
 * @returns The server, not connected.
 */
export async function createSdkServer(serving: Serving): Promise<Server> {
  const offer = await findOffer(serving.tools, serving.caller);
  const { instructions } = serving.identity;
  const server = new Server(toImplementation(serving.identity), {
    capabilities: toCapabilities(offer),
    ...(instructions === undefined ? {} : { instructions }),
  });
  Object.assign(server, { onerror: serving.report });
  if (serving.only === undefined || isServedMethod(serving.only, offer))
    server.fallbackRequestHandler = async (request, context) => {
      try {
        if (!isServedMethod(request.method, offer))
          throw toolErrors.UNKNOWN_METHOD({ method: request.method });
        const params = isJsonObject(request.params) ? request.params : {};
        const handling = { serving, server, context };
        return request.method === "tools/call"
          ? await answerCall(handling, params)
          : await answerOther(handling, request.method, params);
      } catch (error) {
        throw toProtocolError(toRpcError(error), error, serving.report);
      }
    };
  return server;
}

interface Handling {
  readonly serving: Serving;
  readonly server: Server;
  readonly context: ServerContext;
}

async function answerCall(handling: Handling, params: JsonObject): Promise<Result> {
  const { serving, server } = handling;
  const call = parseCall(params);
  if (call === undefined)
    throw toolErrors.INVALID_ARGUMENTS({
      problems: ["`name` must be a string, and `arguments`, if given, an object"],
    });
  const incoming = { ...toIncoming(handling, params), ...call, method: "tools/call" };
  const outcome = await callTool(serving, await withRetry(handling, incoming));
  if (isInputRequired(outcome)) return passInputRequired(handling, call.name, outcome);
  return serving.era === "legacy"
    ? toLegacyResult(serving, server, { name: call.name, outcome })
    : outcome;
}

async function answerOther(
  handling: Handling,
  method: string,
  params: JsonObject,
): Promise<Result> {
  const { tools, roundTrip, era } = handling.serving;
  const incoming = toIncoming(handling, params);
  const name = findAskingName(method, params);
  if (name === undefined)
    return answerRequest(tools, { method, params, context: createIncomingContext(incoming) });
  const { _meta: _, ...rest } = params;
  const call = await withRetry(handling, { ...incoming, method, name, arguments: rest });
  const result = await roundTrip.run(call, (ask) =>
    answerRequest(tools, { method, params, context: createIncomingContext(call, ask) }),
  );
  if (!needsInput(result)) return result;
  if (era === "legacy") throw serverErrors.INPUT_UNAVAILABLE();
  return assertAnswerable(handling, result);
}

/** The protocol's own members of a retry are the SDK's to find; an older client's are not of its protocol. */
async function withRetry(
  { serving, context }: Handling,
  call: IncomingCall,
): Promise<IncomingCall> {
  const requestState: unknown = context.mcpReq.requestState();
  if (serving.era === "legacy" || requestState === undefined) return call;
  const { inputResponses } = context.mcpReq;
  return { ...call, retry: await serving.roundTrip.open(call, { requestState, inputResponses }) };
}

function parseCall(params: JsonObject): Pick<IncomingCall, "name" | "arguments"> | undefined {
  const { name, arguments: args = {} } = params;
  return typeof name === "string" && isJsonObject(args) ? { name, arguments: args } : undefined;
}

function toIncoming(
  { serving, server, context }: Handling,
  params: JsonObject,
): Omit<IncomingCall, "method" | "name" | "arguments"> {
  const meta = params["_meta"];
  const token = isJsonObject(meta) ? meta["progressToken"] : undefined;
  const { signal, notify } = context.mcpReq;
  const { caller, era, canSend, believesGrants = false } = serving;
  return {
    meta,
    caller,
    signal,
    era,
    believesGrants,
    capabilities: findCapabilities(serving, server, context),
    ...(era === "legacy" && canSend ? { elicit: createElicit(server) } : {}),
    ...(typeof token === "string" || typeof token === "number"
      ? { notify: (step: Progress) => void sendProgress(notify, token, step) }
      : {}),
  };
}

function findCapabilities({ era }: Serving, server: Server, context: ServerContext): unknown {
  if (era === "legacy") return server.getClientCapabilities();
  const envelope = context.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  return envelope?.[clientCapabilitiesKey];
}

/** Asks by a request to the client, which the SDK takes back when the time is up or the call is cancelled. */
function createElicit(server: Server): Elicit {
  return (params, { signal, timeoutMs }) =>
    server.request(
      { method: "elicitation/create", params: params as never },
      {
        signal,
        timeout: timeoutMs,
      },
    );
}

async function sendProgress(
  notify: ServerContext["mcpReq"]["notify"],
  progressToken: string | number,
  step: Progress,
): Promise<void> {
  try {
    await notify({ method: "notifications/progress", params: { progressToken, ...step } });
  } catch {
    // The client is gone; its call is being aborted.
  }
}

async function passInputRequired(
  handling: Handling,
  name: string,
  outcome: InputRequired,
): Promise<Result> {
  const { serving } = handling;
  return serving.era === "legacy"
    ? refuseInput(serving, { name, caller: serving.caller })
    : assertAnswerable(handling, outcome);
}

function assertAnswerable(
  { serving, server, context }: Handling,
  outcome: InputRequired,
): InputRequired {
  const problem = checkInputRequests(outcome, findCapabilities(serving, server, context));
  if (problem !== undefined) throw toProtocolError(problem);
  return outcome;
}

/** A result for clients before 2026-07-28, whose structured content must be an object. */
export async function toLegacyResult(
  { tools, caller }: Pick<Serving, "tools" | "caller">,
  projector: Pick<Server, "projectCallToolResult">,
  { name, outcome }: { readonly name: string; readonly outcome: ToolResult },
): Promise<JsonObject> {
  const { resultType: _, ...plain } = outcome;
  if (outcome.structuredContent === undefined) return plain;
  const listing = readCatalogue(await tools.list({ caller })).tools.get(name);
  const schema = listing?.raw["outputSchema"];
  return projector.projectCallToolResult(
    plain as never,
    isJsonObject(schema) ? schema : undefined,
  ) as unknown as JsonObject;
}

function toProtocolError(problem: RpcError, cause?: unknown, report?: ReportError): ProtocolError {
  if (problem.data["error"] === "INTERNAL_ERROR") report?.(cause);
  return new ProtocolError(problem.code, problem.message, problem.data);
}

/** What the server says of itself in the protocol. */
export function toImplementation({ name, version, title }: ServerIdentity): Implementation {
  return { name, version, ...(title === undefined ? {} : { title }) };
}

function toCapabilities(offer: Offer): ServerCapabilities {
  return {
    tools: { listChanged: true },
    ...(offer.prompts ? { prompts: { listChanged: true } } : {}),
    ...(offer.resources ? { resources: { listChanged: true } } : {}),
    ...(offer.prompts || offer.resources ? { completions: {} } : {}),
  };
}
