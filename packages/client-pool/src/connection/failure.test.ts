import { expect, it } from "vitest";
import { poolErrors } from "../errors.js";
import { toReason, toStderrCause } from "./failure.js";

const lost = (stderr: string): string =>
  toReason(
    poolErrors.CONNECTION_LOST(
      { server: "s", reason: "it exited with code 1" },
      { cause: toStderrCause(stderr) },
    ),
  );

it("adds the last words for the owner, on one line and without what a terminal would obey", () => {
  const reason = lost("\u001B[31mfirst\u001B[0m\r\n\n second\u0007\u202E\n");
  expect(reason).toMatch(/It last wrote: "first \| second\?\?"\.$/);
});

it("keeps the end of what is long, and adds nothing for silence", () => {
  expect(lost(`${"x".repeat(5_000)}the end`).length).toBeLessThan(700);
  expect(lost(`${"x".repeat(5_000)}the end`)).toContain("the end");
  expect(lost(" \n")).toMatch(/connects again\.$/);
});

it("never puts a server's words where callers see them", () => {
  const error = poolErrors.CONNECTION_LOST(
    { server: "s", reason: "gone" },
    { cause: toStderrCause("canary") },
  );
  expect(JSON.stringify(error) + error.message).not.toContain("canary");
});
