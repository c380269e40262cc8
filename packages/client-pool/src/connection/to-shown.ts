/** What a terminal would obey, or what makes text look like other text. */
export const unshowable = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

const maxLength = 100;

/** A server's word as it may be shown to the owner: harmless, and at most 100 characters. */
export function toShown(text: string): string {
  return text.slice(0, maxLength).replace(unshowable, "?");
}
