import {
  grantedMetaKey,
  isJsonObject,
  isReservedMetaKey,
  type JsonObject,
  type JsonValue,
} from "@postern/tool";

const protocolMetaPrefix = "io.modelcontextprotocol/";

/** What each hop of the protocol writes itself: a caller's own must not pass for ours, nor a server's for a result. */
const hopKeys = new Set(
  ["protocolVersion", "clientInfo", "clientCapabilities", "logLevel", "serverInfo"].map(
    (key) => protocolMetaPrefix + key,
  ),
);

/** The `_meta` key that ties a message to a subscription of one connection. */
hopKeys.add(`${protocolMetaPrefix}subscriptionId`);
hopKeys.add("progressToken");

/**
 * Builds what a modern server is told with every message.
 *
 * @see MCP 2026-07-28, Base protocol, request metadata
 */
export function createEnvelope(
  protocolVersion: string,
  clientInfo: { readonly name: string; readonly version: string },
): JsonObject {
  return {
    [`${protocolMetaPrefix}protocolVersion`]: protocolVersion,
    [`${protocolMetaPrefix}clientInfo`]: { ...clientInfo },
    [`${protocolMetaPrefix}clientCapabilities`]: {},
  };
}

/**
 * The `_meta` of a call as it may cross to a server, or undefined when nothing of it may. What a gate of ours granted
 * for the call crosses to a server of ours only.
 */
export function toForwardedMeta(meta: JsonObject, isOurs: boolean): JsonObject | undefined {
  const forwarded = toForeignMeta(meta);
  const granted = isOurs && Object.hasOwn(meta, grantedMetaKey) ? meta[grantedMetaKey] : undefined;
  return granted === undefined ? forwarded : { ...forwarded, [grantedMetaKey]: granted };
}

function toForeignMeta(meta: JsonObject): JsonObject | undefined {
  let dropped = false;
  let kept = false;
  for (const key in meta)
    if (isHopKey(key)) dropped = true;
    else kept = true;
  if (!kept) return undefined;
  return dropped ? withoutHopKeys(meta) : meta;
}

function isHopKey(key: string): boolean {
  return hopKeys.has(key) || isReservedMetaKey(key);
}

function withoutHopKeys(meta: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !isHopKey(key)));
}

/** The members of results whose items carry a `_meta` of their own. */
const partsMembers = ["content", "contents", "messages"] as const;

/**
 * Takes out of a result what only the hop to its server is about, and every key that would speak in our name.
 *
 * @param result - The server's result, fresh from the parser; it is changed in place.
 * @returns The same object.
 */
export function cleanResult(result: JsonObject): JsonObject {
  const own: { [key: string]: JsonValue | undefined } = result;
  cleanMeta(own);
  if (own["resultType"] === "complete") delete own["resultType"];
  for (const member of partsMembers) {
    const parts = own[member];
    if (Array.isArray(parts)) for (const part of parts) cleanPart(part);
  }
  return result;
}

function cleanPart(part: unknown): void {
  if (!isJsonObject(part)) return;
  cleanMeta(part);
  const { resource, content } = part;
  if (isJsonObject(resource)) cleanMeta(resource);
  if (isJsonObject(content)) cleanPart(content);
}

function cleanMeta(holder: { [key: string]: JsonValue | undefined }): void {
  const meta = holder["_meta"];
  if (!isJsonObject(meta)) return;
  const kept = toForeignMeta(meta);
  if (kept === meta) return;
  if (kept === undefined) delete holder["_meta"];
  else holder["_meta"] = kept;
}
