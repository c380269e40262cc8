import {
  grantedMetaKey,
  isJsonObject,
  isReservedMetaKey,
  type JsonObject,
  withoutReservedMeta,
} from "@postern/tool";

/** Keys by which the protocol itself travels in a request's `_meta` since 2026-07-28; they are not the caller's. */
export const protocolVersionKey = "io.modelcontextprotocol/protocolVersion";
export const clientCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
export const clientInfoKey = "io.modelcontextprotocol/clientInfo";
export const logLevelKey = "io.modelcontextprotocol/logLevel";
export const serverInfoKey = "io.modelcontextprotocol/serverInfo";

/**
 * The `_meta` key by which a retried call hands down what a server behind us asked for:
 * `{ inputResponses: { key: response }, requestState?: string }`, the state as that server gave it. Only we put it there.
 */
export const retryMetaKey = "dev.postern/retry";

const protocolKeys: ReadonlySet<string> = new Set([
  protocolVersionKey,
  clientCapabilitiesKey,
  clientInfoKey,
  logLevelKey,
  "progressToken",
]);

const nothing: JsonObject = Object.freeze({});

/**
 * Takes out of a request's `_meta` what is the protocol's, and what only Postern itself may say.
 *
 * @param meta - The member as it came; anything but an object counts as empty.
 * @param believesGrants - Whether `grantedMetaKey` stays.
 * @returns What the caller says beside the arguments.
 */
export function toCallerMeta(meta: unknown, believesGrants = false): JsonObject {
  if (!isJsonObject(meta)) return nothing;
  let kept: Record<string, JsonObject[string]> | undefined;
  for (const key in meta) {
    const isBelieved = believesGrants && key === grantedMetaKey;
    if (protocolKeys.has(key) || (isReservedMetaKey(key) && !isBelieved)) continue;
    kept ??= {};
    // Defined, not assigned: a caller may name a member `__proto__`.
    Object.defineProperty(kept, key, {
      value: meta[key],
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return kept ?? nothing;
}

/**
 * Takes out of a result, or a part of one, what a server may not say to our client: our reserved keys, and the name
 * of the server behind us, for the client talks to this one.
 *
 * @param value - An object that may have a `_meta` member.
 * @returns The same object when nothing had to go.
 */
export function withoutReserved<T extends JsonObject>(value: T): T {
  const meta = value["_meta"];
  if (!isJsonObject(meta)) return value;
  const { [serverInfoKey]: serverInfo, ...others } = meta;
  const clean = withoutReservedMeta(serverInfo === undefined ? meta : others);
  return clean === meta ? value : { ...value, _meta: clean };
}
