import type { Pacer } from "../pacer.js";

/** So many are sorted at once: a few milliseconds. */
const minRunLength = 8_192;

/** Each further item is looked for at the beginning of so many runs. */
const maxRuns = 32;

/** Anything that has a name. */
interface Named {
  readonly name: string;
}

/**
 * Sorts by name, in turns with others however many there are, and no further than it is asked to go: of a large
 * directory mostly the beginning is wanted.
 *
 * @param items - What is to be sorted.
 * @param pacer - Gives others their turn.
 * @returns The same, by name; to be gone through once.
 */
export async function sortInTurns<Item extends Named>(
  items: readonly Item[],
  pacer: Pacer,
): Promise<Iterable<Item>> {
  const runs: (readonly Item[])[] = [];
  const length = Math.max(minRunLength, Math.ceil(items.length / maxRuns));
  for (let at = 0; at < items.length; at += length) {
    const run = items.slice(at, at + length);
    runs.push(run.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
    if (pacer.isDue()) await pacer.pause();
  }
  return runs.length > 1 ? merge(runs) : (runs[0] ?? []);
}

function* merge<Item extends Named>(runs: readonly (readonly Item[])[]): Generator<Item> {
  const heads = runs.map((run) => run[0]);
  const next = runs.map(() => 1);
  for (;;) {
    let least = -1;
    let item: Item | undefined;
    for (let run = 0; run < heads.length; run += 1) {
      const head = heads[run];
      if (head === undefined || (item !== undefined && item.name <= head.name)) continue;
      item = head;
      least = run;
    }
    if (item === undefined) return;
    yield item;
    const at = next[least] ?? 0;
    heads[least] = runs[least]?.[at];
    next[least] = at + 1;
  }
}
