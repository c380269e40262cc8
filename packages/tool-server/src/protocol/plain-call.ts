import { isJsonObject, type JsonObject } from "@postern/tool";
import { classifyInboundRequest, SUPPORTED_PROTOCOL_VERSIONS } from "../sdk.js";
import { clientCapabilitiesKey, clientInfoKey, logLevelKey, protocolVersionKey } from "./meta.js";
import type { Era } from "./sdk-server.js";

/** A tool call that needs nothing of the SDK. */
export interface PlainCall {
  readonly era: Era;
  readonly id: string | number;
  readonly name: string;
  readonly arguments: JsonObject;
  readonly meta: JsonObject;
  readonly progressToken?: string | number;
}

/** Reads one header of a request, by its lower-case name. */
export type ReadHeader = (name: string) => string | undefined;

const modernVersion = "2026-07-28";
const none: JsonObject = Object.freeze({});

/**
 * Recognises the common case: one well-formed `tools/call`, of either era, with every header as it must be. Whatever
 * is unusual, or wrong, is not plain: the SDK judges it, so that there is one judge only.
 *
 * @param body - The parsed body.
 * @param header - The request's headers.
 * @returns The call; undefined when the SDK must see the request.
 */
export function parsePlainCall(body: unknown, header: ReadHeader): PlainCall | undefined {
  if (!isJsonObject(body) || body["method"] !== "tools/call" || body["jsonrpc"] !== "2.0")
    return undefined;
  const { id, params } = body;
  if (!isId(id) || !isJsonObject(params) || !hasOnly(body, bodyMembers)) return undefined;
  const { name, arguments: args = none, _meta: meta = none } = params;
  if (typeof name !== "string" || !isJsonObject(args) || !isJsonObject(meta)) return undefined;
  if (!hasOnly(params, paramMembers)) return undefined;
  const { progressToken } = meta;
  if (progressToken !== undefined && !isId(progressToken)) return undefined;
  const era = findEra(meta, { name, header, body });
  if (era === undefined) return undefined;
  const call = { era, id, name, arguments: args, meta };
  return progressToken === undefined ? call : { ...call, progressToken };
}

const bodyMembers: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);
const paramMembers: ReadonlySet<string> = new Set(["name", "arguments", "_meta"]);

function hasOnly(object: JsonObject, members: ReadonlySet<string>): boolean {
  for (const key in object) if (!members.has(key)) return false;
  return true;
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" || Number.isSafeInteger(value);
}

interface Surroundings {
  readonly name: string;
  readonly header: ReadHeader;
  readonly body: JsonObject;
}

function findEra(meta: JsonObject, { name, header, body }: Surroundings): Era | undefined {
  const version = header("mcp-protocol-version");
  if (meta[protocolVersionKey] === modernVersion)
    return version === modernVersion &&
      header("mcp-method") === "tools/call" &&
      header("mcp-name") === name &&
      isKnownEnvelope(meta, body)
      ? "modern"
      : undefined;
  if (Object.hasOwn(meta, protocolVersionKey)) return undefined;
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return undefined;
  const accept = header("accept") ?? "";
  return accept.includes("application/json") && accept.includes("text/event-stream")
    ? "legacy"
    : undefined;
}

const knownEnvelopes = new Set<string>();
const maxEnvelopes = 500;
const maxEnvelopeLength = 2_000;

/** What a client says of itself is the same with every call, so the SDK judges each such text once. */
function isKnownEnvelope(meta: JsonObject, body: JsonObject): boolean {
  const text = JSON.stringify({
    capabilities: meta[clientCapabilitiesKey],
    info: meta[clientInfoKey],
    level: meta[logLevelKey],
  });
  if (knownEnvelopes.has(text)) return true;
  const outcome = classifyInboundRequest({ httpMethod: "POST", body });
  if (outcome.kind !== "modern" || text.length > maxEnvelopeLength) return false;
  if (knownEnvelopes.size >= maxEnvelopes) knownEnvelopes.clear();
  knownEnvelopes.add(text);
  return true;
}
