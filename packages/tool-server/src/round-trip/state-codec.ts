import type { JsonObject } from "@postern/tool";
import { parseBase64url, toBase64url } from "../base64url.js";

/** Seals state that travels through a client, which can neither read nor change it. */
export interface StateCodec {
  /** Seals a payload, each time differently. */
  seal(payload: JsonObject): Promise<string>;
  /** Opens what was sealed with the same key; undefined for anything else. */
  open(text: string): Promise<JsonObject | undefined>;
}

/** Shorter keys are not accepted. */
export const minKeyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** More was never sealed here, so nobody makes us decrypt it. */
const maxTextLength = 4 * 1024 * 1024;
/** Says what was sealed and in which layout, so that neither is ever taken for another. */
const label = new TextEncoder().encode("postern request state 1");

/**
 * Makes a codec: AES-256-GCM under a key that is derived from the given one.
 *
 * @param key - At least 32 secret bytes. Default: random ones, so that only this codec opens what it sealed.
 * @returns The codec.
 * @see NIST SP 800-38D; RFC 5869
 */
export function createStateCodec(
  key: Uint8Array = crypto.getRandomValues(new Uint8Array(minKeyBytes)),
): StateCodec {
  const secret = Uint8Array.from(key);
  let derived: Promise<Key> | undefined;
  const findKey = (): Promise<Key> => (derived ??= deriveKey(secret));
  return {
    async seal(payload) {
      const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
      const plain = new TextEncoder().encode(JSON.stringify(payload));
      const sealed = await crypto.subtle.encrypt(toParameters(iv), await findKey(), plain);
      const whole = new Uint8Array(ivBytes + sealed.byteLength);
      whole.set(iv);
      whole.set(new Uint8Array(sealed), ivBytes);
      return toBase64url(whole);
    },
    async open(text) {
      const whole = text.length > maxTextLength ? undefined : parseBase64url(text);
      if (whole === undefined || whole.length < ivBytes + tagBytes) return undefined;
      // One spelling only: the last character of base64url has bits that mean nothing.
      if (toBase64url(whole) !== text) return undefined;
      const parameters = toParameters(whole.subarray(0, ivBytes));
      const opened = findKey().then((found) =>
        crypto.subtle.decrypt(parameters, found, whole.subarray(ivBytes)),
      );
      const plain = await opened.catch(() => undefined);
      return plain && (JSON.parse(new TextDecoder().decode(plain)) as JsonObject);
    },
  };
}

function toParameters(iv: Uint8Array<ArrayBuffer>) {
  return { name: "AES-GCM", iv, additionalData: label, tagLength: tagBytes * 8 };
}

async function deriveKey(secret: Uint8Array<ArrayBuffer>): Promise<Key> {
  const material = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveKey"]);
  return crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: label },
    material,
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"],
  );
}

/**
 * Digests a text.
 *
 * @param text - The text.
 * @returns Its SHA-256, in base64url.
 */
export async function digestText(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return toBase64url(new Uint8Array(bytes));
}
