import {
  isJsonObject,
  isSource,
  toolErrors,
  type CallContext,
  type Caller,
  type JsonObject,
  type JsonValue,
  type ListingKind,
  type ToolSet,
} from "@postern/tool";
import { readCatalogue } from "./listings.js";
import { withoutReserved } from "./meta.js";

interface ListMethod {
  readonly kind: ListingKind;
  readonly member: string;
}

/** The methods that list, with the kind each lists and the member its result has them in. */
const listMethods: ReadonlyMap<string, ListMethod> = new Map([
  ["tools/list", { kind: "tool", member: "tools" }],
  ["prompts/list", { kind: "prompt", member: "prompts" }],
  ["resources/list", { kind: "resource", member: "resources" }],
  ["resources/templates/list", { kind: "template", member: "resourceTemplates" }],
]);

/** The methods that a source answers, with the member of their result that may hold `_meta` in our name. */
const sourceMethods: ReadonlyMap<string, string> = new Map([
  ["prompts/get", "messages"],
  ["resources/read", "contents"],
  ["completion/complete", ""],
]);

/** The methods, beside `tools/call`, whose result the protocol lets ask for input, with the member that says of what. */
const askingMethods: Readonly<Record<string, string>> = {
  "prompts/get": "name",
  "resources/read": "uri",
};

/**
 * Finds what a request is about, if it may ask for input before it is answered.
 *
 * @param method - The MCP method.
 * @param params - Its parameters.
 * @returns The prompt's name or the resource's URI; undefined for every other request.
 */
export function findAskingName(method: string, params: JsonObject): string | undefined {
  const member = Object.hasOwn(askingMethods, method) ? askingMethods[method] : undefined;
  const name = member === undefined ? undefined : params[member];
  return typeof name === "string" ? name : undefined;
}

/** What a set has, beside tools. */
export interface Offer {
  readonly prompts: boolean;
  readonly resources: boolean;
}

/**
 * Finds what a set has, so that only that is advertised.
 *
 * @param tools - The set.
 * @param caller - For whom.
 * @returns Whether it has prompts, and resources or templates, now.
 */
export async function findOffer(tools: ToolSet, caller: Caller): Promise<Offer> {
  if (!isSource(tools)) return { prompts: false, resources: false };
  const has = async (kinds: readonly ListingKind[]): Promise<boolean> =>
    (await tools.list({ kinds, caller })).length > 0;
  const [prompts, resources] = await Promise.all([has(["prompt"]), has(["resource", "template"])]);
  return { prompts, resources };
}

/**
 * Tells whether a method is answered here.
 *
 * @param method - The MCP method.
 * @param offer - What the set has.
 * @returns True for a method of ours; the SDK answers the protocol's own.
 */
export function isServedMethod(method: string, offer: Offer): boolean {
  if (method === "tools/call" || method === "tools/list") return true;
  if (method === "completion/complete") return offer.prompts || offer.resources;
  if (method.startsWith("prompts/"))
    return offer.prompts && (listMethods.has(method) || sourceMethods.has(method));
  return offer.resources && (listMethods.has(method) || sourceMethods.has(method));
}

/** A request other than a tool call. */
export interface IncomingRequest {
  readonly method: string;
  readonly params: JsonObject;
  readonly context: CallContext;
}

/**
 * Answers a list, or hands another request to the source.
 *
 * @param tools - The set.
 * @param request - The request.
 * @returns The result.
 * @throws {PosternError} `UNKNOWN_METHOD`, `INVALID_ARGUMENTS`, or what the source rejects with.
 */
export async function answerRequest(tools: ToolSet, request: IncomingRequest): Promise<JsonObject> {
  const { method, params, context } = request;
  const list = listMethods.get(method);
  if (list !== undefined) {
    // Every list is one page, so no cursor was ever handed out.
    if (params["cursor"] !== undefined)
      throw toolErrors.INVALID_ARGUMENTS({ problems: ["cursor: this list has one page only"] });
    const { caller, signal } = context;
    const listings = await tools.list({ kinds: [list.kind], caller, signal });
    return { [list.member]: readCatalogue(listings).wire[list.kind] };
  }
  const member = sourceMethods.get(method);
  if (member === undefined || !isSource(tools)) throw toolErrors.UNKNOWN_METHOD({ method });
  const { _meta: _, ...rest } = params;
  return toCleanResult(await tools.request(method, rest, context), member);
}

/** Takes out what a server says in our name. */
function toCleanResult(result: JsonObject, member: string): JsonObject {
  const parts = result[member];
  if (!Array.isArray(parts)) return withoutReserved(result);
  const clean = (parts as readonly JsonValue[]).map(toCleanPart);
  return withoutReserved({ ...result, [member]: clean });
}

function toCleanPart(part: JsonValue): JsonValue {
  if (!isJsonObject(part)) return part;
  const { content } = part;
  const clean = withoutReserved(part);
  return isJsonObject(content) ? { ...clean, content: withoutReserved(content) } : clean;
}
