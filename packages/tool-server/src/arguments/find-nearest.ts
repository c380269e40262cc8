/** Longer words are not compared: it bounds the work a caller can cause. */
const maxLength = 64;

/**
 * Finds the word that was probably meant.
 *
 * @param word - What was written.
 * @param known - What could have been meant.
 * @returns The nearest: of a short word one or two letters may differ, of a long one a third.
 */
export function findNearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > maxLength) return undefined;
  let nearest: string | undefined;
  let least = (word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3))) + 1;
  for (const candidate of known.slice(0, 200)) {
    if (candidate.length > maxLength) continue;
    const distance = measureDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance >= least) continue;
    least = distance;
    nearest = candidate;
  }
  return nearest;
}

/** Levenshtein's distance, one row at a time. */
function measureDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
