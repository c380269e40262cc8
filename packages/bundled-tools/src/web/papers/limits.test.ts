import { expect, it } from "vitest";
import { createLimits } from "./limits.js";

it("remembers a limit for as long as was said, a minute by default, a day at most", () => {
  let now = 0;
  const limits = createLimits(() => now);
  limits.add("said", 5000);
  limits.add("unsaid", null);
  limits.add("endless", Number.MAX_SAFE_INTEGER);
  limits.add("answered", 5000);
  limits.delete("answered");
  const findLimited = () =>
    ["said", "unsaid", "endless", "answered", "other"].filter((name) => limits.isLimited(name));
  const seen = [0, 4999, 5000, 59_999, 60_000, 86_399_999, 86_400_000].map((time) => {
    now = time;
    return findLimited();
  });
  expect(seen).toEqual([
    ["said", "unsaid", "endless"],
    ["said", "unsaid", "endless"],
    ["unsaid", "endless"],
    ["unsaid", "endless"],
    ["endless"],
    ["endless"],
    [],
  ]);
});
