import { expect, it } from "vitest";
import { parseAccessLevel } from "./access-level.js";

it("reads the two levels", () => {
  expect(["full", "read_only"].map(parseAccessLevel)).toEqual(["full", "read_only"]);
});

it("reads nothing else, however near", () => {
  const others = ["Full", " full", "full\n", "readonly", "read-only", "", "toString", 0, null];
  expect(others.map(parseAccessLevel)).toEqual(others.map(() => undefined));
});
