/** A part of a text that an edit changed; everything between two of them is as it was. In characters. */
export interface Region {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Collects changed parts, in the order in which they stand in the text. */
export interface RegionList {
  /** Adds the change of `[start, end)` into so many characters. */
  add(start: number, end: number, newLength: number): void;
  readonly regions: readonly Region[];
}

/** Past these, changes are taken together with what is between them: an answer has no room for so many. */
const maxRegions = 20_000;

/**
 * Makes an empty list for a text. Changes of one line become one region.
 *
 * @param text - The text before the changes.
 */
export function createRegionList(text: string): RegionList {
  const regions: Region[] = [];
  let shift = 0;
  /** Where the line ends in which the last region does. */
  let lineEnd = -1;
  return {
    regions,
    add(start, end, newLength) {
      if (start === end && newLength === 0) return;
      const last = regions.at(-1);
      const region = {
        oldStart: start,
        oldEnd: end,
        newStart: start + shift,
        newEnd: start + shift + newLength,
      };
      shift += newLength - (end - start);
      if (last !== undefined && (start <= lineEnd || regions.length >= maxRegions))
        regions[regions.length - 1] = {
          ...region,
          oldStart: last.oldStart,
          newStart: last.newStart,
        };
      else regions.push(region);
      if (end > lineEnd) lineEnd = toLineEnd(text, end);
    },
  };
}

function toLineEnd(text: string, at: number): number {
  const found = text.indexOf("\n", at);
  return found === -1 ? text.length : found;
}

/**
 * Joins what two steps changed, one after the other.
 *
 * @param first - From the oldest text to the middle one; ascending.
 * @param second - From the middle text to the newest.
 * @returns From the oldest to the newest.
 */
export function joinRegions(
  first: readonly Region[],
  second: readonly Region[],
): readonly Region[] {
  const joined: Region[] = [];
  let [a, b] = [0, 0];
  let [oldShift, newShift] = [0, 0];
  while (a < first.length || b < second.length) {
    const start = Math.min(first[a]?.newStart ?? Infinity, second[b]?.oldStart ?? Infinity);
    const from = { oldStart: start + oldShift, newStart: start + newShift };
    let end = start;
    // Whatever touches belongs together; each may bring the other one's next within reach.
    for (;;) {
      const [left, right] = [first[a], second[b]];
      if (left !== undefined && left.newStart <= end) {
        end = Math.max(end, left.newEnd);
        oldShift = left.oldEnd - left.newEnd;
        a += 1;
      } else if (right !== undefined && right.oldStart <= end) {
        end = Math.max(end, right.oldEnd);
        newShift = right.newEnd - right.oldEnd;
        b += 1;
      } else break;
    }
    joined.push({ ...from, oldEnd: end + oldShift, newEnd: end + newShift });
  }
  return joined;
}
