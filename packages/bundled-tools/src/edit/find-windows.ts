/**
 * Finds every place where a list of lines occurs in another, overlaps included. The work grows with the length of
 * both together and not with their product, whatever they hold.
 *
 * @param lines - Where to look.
 * @param wanted - What to look for; at least one line.
 * @returns The indexes of the first lines, ascending.
 */
export function findWindows(lines: readonly string[], wanted: readonly string[]): number[] {
  const fallback = toFallback(wanted);
  const found: number[] = [];
  let matched = 0;
  for (const [index, line] of lines.entries()) {
    while (matched > 0 && line !== wanted[matched]) matched = fallback[matched - 1] ?? 0;
    if (line === wanted[matched]) matched += 1;
    if (matched === wanted.length) {
      found.push(index - matched + 1);
      matched = fallback[matched - 1] ?? 0;
    }
  }
  return found;
}

/** Knuth, Morris and Pratt: how much of the beginning is known to match again after a mismatch. */
function toFallback(wanted: readonly string[]): readonly number[] {
  const fallback = [0];
  let matched = 0;
  for (let index = 1; index < wanted.length; index += 1) {
    while (matched > 0 && wanted[index] !== wanted[matched]) matched = fallback[matched - 1] ?? 0;
    if (wanted[index] === wanted[matched]) matched += 1;
    fallback.push(matched);
  }
  return fallback;
}
