/** Encodings within encodings that are followed. */
const maxDepth = 3;
/** Texts that come out of one text, at most. */
const maxTexts = 64;

const base64Run = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}(?:\r?\n[A-Za-z0-9+/_-]{16,})*={0,2}/g;
const hexRun = /(?:(?:\\x|0x|\s)?[0-9a-f]{2}){16,}/gi;
const percentRun = /%[0-9a-f]{2}/i;
const [isBase64, isHex, isPercent] = [1, 2, 4];
/** What each ASCII character may be part of. */
const parts = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return (
    (/[A-Za-z0-9+/_-]/.test(character) ? isBase64 : 0) |
    (/[0-9a-fx\\\s]/i.test(character) ? isHex : 0) |
    (character === "%" ? isPercent : 0)
  );
});
const utf8 = new TextDecoder();

/**
 * Finds what a text says in another spelling: base64 (also URL-safe, in lines, or of UTF-16), hex and percent encoding,
 * also one within another.
 *
 * @param text - The text.
 * @returns The decoded texts, at most 64, without the text itself. Empty for most texts.
 */
export function findDecodedTexts(text: string): readonly string[] {
  const found: string[] = [];
  let layer: readonly string[] = [text];
  for (let depth = 0; depth < maxDepth && layer.length > 0; depth += 1) {
    layer = layer.flatMap((each) => decode(each));
    found.push(...layer);
    if (found.length >= maxTexts) return found.slice(0, maxTexts);
  }
  return found;
}

function decode(text: string): readonly string[] {
  const decoded: string[] = [];
  const runs = findRuns(text);
  if (runs.base64 >= 24)
    for (const [run] of text.matchAll(base64Run)) addText(decoded, fromBase64(run));
  if (runs.hex >= 32) for (const [run] of text.matchAll(hexRun)) addText(decoded, fromHex(run));
  if (runs.hasPercent && percentRun.test(text)) addText(decoded, fromPercent(text));
  return decoded;
}

/** The longest runs of characters that an encoding is made of: for most texts, no pattern need be tried. */
function findRuns(text: string): {
  readonly base64: number;
  readonly hex: number;
  readonly hasPercent: boolean;
} {
  let [base64, hex, inBase64, inHex, seen] = [0, 0, 0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const part = parts[text.charCodeAt(at)] ?? 0;
    inBase64 = (part & isBase64) === 0 ? 0 : inBase64 + 1;
    inHex = (part & isHex) === 0 ? 0 : inHex + 1;
    if (inBase64 > base64) base64 = inBase64;
    if (inHex > hex) hex = inHex;
    seen |= part;
  }
  return { base64, hex, hasPercent: (seen & isPercent) !== 0 };
}

/** What decodes to noise was no text: most of it must be printable. */
function addText(texts: string[], bytes: Uint8Array | undefined): void {
  if (bytes === undefined || bytes.length < 8) return;
  const text = utf8.decode(bytes).replaceAll("\0", "");
  const strange = text.match(/[^\t\n\r -~\u00a0-\ud7ff]|\ufffd/g)?.length ?? 0;
  if (strange * 4 < text.length) texts.push(text);
}

function fromBase64(run: string): Uint8Array | undefined {
  const plain = run
    .replace(/\s+/g, "")
    .replace(/=+$/, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/");
  try {
    const whole = plain.length % 4 === 1 ? plain.slice(0, -1) : plain;
    return Uint8Array.from(atob(whole), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function fromHex(run: string): Uint8Array {
  const digits = run.replace(/\\x|0x|\s/gi, "");
  return Uint8Array.from({ length: digits.length >> 1 }, (_, at) =>
    Number.parseInt(digits.slice(at * 2, at * 2 + 2), 16),
  );
}

function fromPercent(text: string): Uint8Array {
  return new TextEncoder().encode(
    text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => utf8.decode(fromHex(run.replaceAll("%", "")))),
  );
}
