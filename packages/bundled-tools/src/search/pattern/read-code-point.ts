/**
 * Reads one character that is not ASCII.
 *
 * @param bytes - UTF-8, or not.
 * @param at - Where it begins.
 * @returns Its code point; -1 when there is no character here.
 */
export function readCodePoint(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const second = (bytes[at + 1] ?? 0) ^ 0x80;
  if (first < 0xc2 || first > 0xf4 || second > 0x3f) return -1;
  if (first < 0xe0) return ((first & 0x1f) << 6) | second;
  const third = (bytes[at + 2] ?? 0) ^ 0x80;
  if (third > 0x3f) return -1;
  if (first < 0xf0) {
    const code = ((first & 0x0f) << 12) | (second << 6) | third;
    return code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? -1 : code;
  }
  const fourth = (bytes[at + 3] ?? 0) ^ 0x80;
  if (fourth > 0x3f) return -1;
  const code = ((first & 0x07) << 18) | (second << 12) | (third << 6) | fourth;
  return code < 0x10000 || code > 0x10ffff ? -1 : code;
}
