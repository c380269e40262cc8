/** One line of a hunk. */
export interface HunkLine {
  /** Its number, from 1. */
  readonly n: number;
  readonly text: string;
  readonly match: boolean;
}

/** Lines that stand together. */
export interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly HunkLine[];
}

/** Where lines of a file are found. */
export interface LineSource {
  readonly lineCount: number;
  /** A line without its line break, as it is to be shown. */
  read(number: number): string;
}

/**
 * Groups matching lines with the lines around them; what overlaps or touches becomes one hunk.
 *
 * @param matches - Numbers of matching lines, ascending.
 * @param contextLines - How many lines before and after each.
 * @param source - The file's lines.
 */
export function toHunks(
  matches: readonly number[],
  contextLines: number,
  source: LineSource,
): readonly Hunk[] {
  const ranges: { start: number; end: number }[] = [];
  for (const number of matches) {
    const start = Math.max(1, number - contextLines);
    const end = Math.min(source.lineCount, number + contextLines);
    const last = ranges.at(-1);
    if (last !== undefined && start <= last.end + 1) last.end = Math.max(last.end, end);
    else ranges.push({ start, end });
  }
  const isMatch = new Set(matches);
  return ranges.map(({ start, end }) => ({
    start,
    end,
    lines: Array.from({ length: end - start + 1 }, (_, index) => ({
      n: start + index,
      text: source.read(start + index),
      match: isMatch.has(start + index),
    })),
  }));
}
