import { allowed, refused, type Listing } from "@postern/tool";
import { expect, it } from "vitest";
import { permitted } from "./permitted.js";

const named = (name: string): Listing => ({
  kind: "tool",
  server: "s",
  name,
  originalName: name,
  tags: [],
  checkpaths: [],
  raw: {},
});

it("keeps what is allowed, in order, and leaves the input as it is", () => {
  const listings = Object.freeze(["c", "a", "b"].map(named));
  const kept = permitted(listings, ({ name }) => (name === "a" ? refused("no") : allowed));
  expect(kept.map(({ name }) => name)).toEqual(["c", "b"]);
  expect(kept[0]).toBe(listings[0]);
  expect(Object.isFrozen(kept)).toBe(true);
});
