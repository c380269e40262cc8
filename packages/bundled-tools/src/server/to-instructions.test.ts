import { expect, it } from "vitest";
import { bundledTools } from "../bundled-tools.js";
import { toInstructions } from "./to-instructions.js";

const listings = bundledTools({ root: "/" }).map(({ listing }) => listing);

it("names every tool that is offered, with the first line of its description", () => {
  const lines = toInstructions(listings).split("\n").slice(2);
  expect(lines).toEqual(
    listings.map(({ name, raw }) => `- ${name}: ${(raw["description"] as string).split("\n")[0]}`),
  );
});

it("speaks of paths only where a tool takes some", () => {
  const remote = listings.map((listing) => ({ ...listing, tags: ["bundled", "web"] }));
  expect([
    toInstructions(listings).includes("Paths"),
    toInstructions(remote).includes("Paths"),
  ]).toEqual([true, false]);
});

it("takes at most 3,000 characters, which a client puts into every conversation", () => {
  expect(toInstructions(listings).length).toBeLessThanOrEqual(3_000);
});
