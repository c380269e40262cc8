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
  const [a, b] = [toPairs(left), toPairs(right)];
  if (a.length === 0 || b.length === 0) return 0;
  const unused = new Map<number, number>();
  for (const pair of a) unused.set(pair, (unused.get(pair) ?? 0) + 1);
  let shared = 0;
  for (const pair of b) {
    const count = unused.get(pair) ?? 0;
    if (count === 0) continue;
    unused.set(pair, count - 1);
    shared += 1;
  }
  return (2 * shared) / (a.length + b.length);
}

function toPairs(line: string): Uint32Array {
  const length = Math.min(line.length, maxLength);
  const pairs = new Uint32Array(Math.max(length - 1, 0));
  for (let at = 0; at < pairs.length; at += 1)
    pairs[at] = line.charCodeAt(at) * 0x1_0000 + line.charCodeAt(at + 1);
  return pairs;
}
