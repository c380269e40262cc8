/** What every model API takes as a tool's name. */
const exposedPattern = /^[A-Za-z0-9_-]{1,64}$/;

const headLength = 40;
const tailLength = 14;

/**
 * Builds the name that a tool or prompt is exposed by: the prefix and its own name where that fits
 * `^[A-Za-z0-9_-]{1,64}$`. Where not, other characters become `_`, the middle is cut, and a hash of the whole name
 * keeps it unique. The result depends on nothing but the two arguments.
 *
 * @param prefix - The server's prefix: at most 40 characters of `A-Za-z0-9_-`, or empty.
 * @param originalName - The name as the server knows it.
 * @returns The exposed name.
 */
export function toExposedName(prefix: string, originalName: string): string {
  const whole = prefix + originalName;
  if (exposedPattern.test(whole)) return whole;
  const safe = whole.replace(/[^A-Za-z0-9_-]/g, "_");
  const hash = toHash(whole);
  if (safe.length + 1 + hash.length <= 64) return `${safe}_${hash}`;
  return `${safe.slice(0, headLength)}_${hash}_${safe.slice(-tailLength)}`;
}

/** 41 bits of cyrb53 as eight characters. It tells names apart; it is no proof against someone who seeks a clash. */
function toHash(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high =
    Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low =
    Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  const sum = 4_294_967_296 * (2_097_151 & low) + (high >>> 0);
  return (sum % 36 ** 8).toString(36).padStart(8, "0");
}
