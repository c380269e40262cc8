/** A character in bytes, or a sequence of bytes that is none. */
export interface Character {
  /** How many bytes it takes. */
  readonly bytes: number;
  /** How many places it takes in a string; a broken sequence becomes one U+FFFD. */
  readonly units: number;
}

const broken: readonly Character[] = [1, 2, 3].map((bytes) => ({ bytes, units: 1 }));
const whole: readonly Character[] = [1, 2, 3, 4].map((bytes) => ({
  bytes,
  units: bytes === 4 ? 2 : 1,
}));

/** How many bytes follow a first byte, and what the next one may be (Unicode, table 3-7). */
function toForm(lead: number): readonly [following: number, least: number, most: number] {
  if (lead >= 0xc2 && lead <= 0xdf) return [1, 0x80, 0xbf];
  if (lead === 0xe0) return [2, 0xa0, 0xbf];
  if (lead === 0xed) return [2, 0x80, 0x9f];
  if (lead >= 0xe1 && lead <= 0xef) return [2, 0x80, 0xbf];
  if (lead === 0xf0) return [3, 0x90, 0xbf];
  if (lead >= 0xf1 && lead <= 0xf3) return [3, 0x80, 0xbf];
  if (lead === 0xf4) return [3, 0x80, 0x8f];
  return [0, 0, 0];
}

/**
 * Finds the character that begins at a place, as a decoder of UTF-8 with replacement sees it (WHATWG Encoding).
 *
 * @param bytes - The text.
 * @param at - A place inside it.
 * @returns Its size.
 */
export function findCharacter(bytes: Uint8Array, at: number): Character {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return whole[0]!;
  const [following, least, most] = toForm(lead);
  if (following === 0) return broken[0]!;
  for (let index = 1; index <= following; index += 1) {
    const next = bytes[at + index] ?? 0;
    const isNext = index === 1 ? next >= least && next <= most : next >= 0x80 && next <= 0xbf;
    if (!isNext) return broken[index - 1]!;
  }
  return whole[following]!;
}
