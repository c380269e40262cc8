/**
 * Writes bytes as base64url, without padding.
 *
 * @param bytes - The bytes.
 * @returns The text.
 * @see RFC 4648 §5
 */
export function toBase64url(bytes: Uint8Array): string {
  let text = "";
  // In pieces: a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 8_192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Reads base64url.
 *
 * @param text - The text.
 * @returns The bytes; undefined for anything but base64url without padding.
 */
export function parseBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
