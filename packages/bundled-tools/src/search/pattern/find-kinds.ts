import { toRanges, type CodeSet } from "./code-set.js";
import type { Program } from "./compile-program.js";
import { refuse } from "./cursor.js";
import { findWordSet } from "./read-escape.js";

/** The characters, sorted into kinds: all of one kind are in the same sets. */
export interface Kinds {
  readonly count: number;
  /** The kind of each character of the first plane. */
  readonly plane: Uint16Array;
  /** The kind of any character. */
  find(code: number): number;
  /** Which sets hold the characters of a kind. */
  readonly members: readonly ReadonlySet<number>[];
}

/** More work than any pattern written by hand makes. */
const maxWork = 300_000;

/**
 * Sorts characters by the sets of a program that they are in; where it asks for words, those are one set more.
 *
 * @throws {PosternError} `INVALID_PATTERN` when the sets are too many.
 */
export function findKinds({ sets, hasWords }: Program): Kinds {
  return sortKinds(hasWords ? [...sets, findWordSet()] : sets);
}

function sortKinds(sets: readonly CodeSet[]): Kinds {
  const changes = new Map<number, number[]>([[0, []]]);
  const note = (code: number, index: number): void => {
    const noted = changes.get(code);
    if (noted === undefined) changes.set(code, [index]);
    else noted.push(index);
  };
  sets.forEach((set, index) => {
    for (const [first, last] of toRanges(set)) {
      note(first, index);
      note(last + 1, index);
    }
  });
  const starts = [...changes.keys()].toSorted((a, b) => a - b);
  const keys = new Map<string, number>();
  const members: ReadonlySet<number>[] = [];
  const inside = new Set<number>();
  let work = 0;
  const kinds = starts.map((code) => {
    for (const index of changes.get(code) ?? []) if (!inside.delete(index)) inside.add(index);
    work += inside.size + 1;
    if (work > maxWork) throw refuse("it has too many classes of characters");
    const key = [...inside].toSorted((a, b) => a - b).join();
    const kind = keys.get(key) ?? members.push(new Set(inside)) - 1;
    keys.set(key, kind);
    return kind;
  });
  return {
    count: members.length,
    plane: toPlane(starts, kinds),
    find: toFind(starts, kinds),
    members,
  };
}

function toPlane(starts: readonly number[], kinds: readonly number[]): Uint16Array {
  const plane = new Uint16Array(0x10000);
  starts.forEach((code, at) => plane.fill(kinds[at] ?? 0, code, starts[at + 1]));
  return plane;
}

function toFind(starts: readonly number[], kinds: readonly number[]): (code: number) => number {
  return (code) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= code) low = middle;
      else high = middle - 1;
    }
    return kinds[low] ?? 0;
  };
}
