/** Longer lines are compared by their beginnings. */
const maxLength = 2_000;

/**
 * Tells how alike two lines are, by the pairs of characters that they share (Sørensen and Dice), in time that grows
 * with their length.
 *
 * @returns From 0, nothing in common, to 1, the same.
 */
export function toLikeness(left: string, right: string): number {
  if (left === right) return 1;
  const a = left.slice(0, maxLength);
  const b = right.slice(0, maxLength);
  if (a.length < 2 || b.length < 2) return 0;
  const pairs = new Map<string, number>();
  for (let at = 0; at + 1 < a.length; at += 1) {
    const pair = a.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  let shared = 0;
  for (let at = 0; at + 1 < b.length; at += 1) {
    const pair = b.slice(at, at + 2);
    const unused = pairs.get(pair) ?? 0;
    if (unused === 0) continue;
    pairs.set(pair, unused - 1);
    shared += 1;
  }
  return (2 * shared) / (a.length + b.length - 2);
}
