const maxLength = 64;

/**
 * Finds the known word that a mistyped one was meant to be.
 *
 * @param word - What was written.
 * @param known - What could have been meant, in order of preference.
 * @returns The nearest, at most a third of its letters away (and at least one); undefined where none is near.
 */
export function findNearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > maxLength) return undefined;
  const written = toLetters(word);
  let nearest: string | undefined;
  let least = Infinity;
  for (const candidate of known) {
    const meant = toLetters(candidate);
    const distance = toDistance(written, meant);
    const allowed = Math.max(1, Math.floor(meant.length / 3));
    // A word of one or two letters is near to everything of that length.
    if (distance > allowed || (distance > 0 && meant.length < 3) || distance >= least) continue;
    nearest = candidate;
    least = distance;
  }
  return nearest;
}

/** `connectTimeout`, `connect-timeout` and `connect_timeout` are one word to a person. */
function toLetters(word: string): string {
  return word.toLowerCase().replace(/[-_ ]/g, "");
}

/** Optimal string alignment: insertions, deletions, replacements, and neighbours swapped. */
function toDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let distance = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (row > 1 && column > 1 && swapped)
        distance = Math.min(distance, (beforeLast[column - 2] ?? 0) + 1);
      current.push(distance);
    }
    beforeLast = last;
    last = current;
  }
  return last[right.length] ?? 0;
}
