import { expect, it } from "vitest";
import { createPacer } from "../pacer.js";
import { sortInTurns } from "./sort-in-turns.js";

const pacer = () => createPacer(new AbortController().signal);

/** Names in an order that no sorting likes. */
const toNames = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: String((at * 7_919) % 1_000_003) }));

it.each([0, 1, 8_192, 8_193, 30_000])("sorts %d names as one sorting would", async (count) => {
  const items = toNames(count);
  const sorted = await sortInTurns(items, pacer());
  expect([...sorted]).toEqual(items.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
});

it("stops when it is cancelled", async () => {
  const controller = new AbortController();
  const sorting = sortInTurns(toNames(500_000), createPacer(controller.signal));
  controller.abort(new TypeError("enough"));
  await expect(sorting).rejects.toThrow("enough");
});

it("lets others work meanwhile", async () => {
  let turns = 0;
  let isDone = false;
  const other = (): void => {
    turns += 1;
    if (!isDone) setImmediate(other);
  };
  setImmediate(other);
  await sortInTurns(toNames(600_000), pacer());
  isDone = true;
  expect(turns).toBeGreaterThan(1);
});
