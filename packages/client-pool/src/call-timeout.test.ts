import { expect, it } from "vitest";
import { parseCallTimeout } from "./index.js";

it.each([
  [undefined, 900_000],
  ["30", 30_000],
  [" 1.5 ", 1_500],
  ["1e2", 100_000],
  ["0", 0],
  ["-1", 0],
  ["0.0001", 1],
  ["99999999999", 2_147_483_647],
])("reads %j", (text, timeoutMs) => {
  expect(parseCallTimeout(text)).toEqual({ timeoutMs });
});

it.each(["", " ", "nope", "inf", "Infinity", "NaN", "nan", "1e999", "0x10", "1_000", "5s"])(
  "falls back to the default for %j, and warns",
  (text) => {
    expect(parseCallTimeout(text)).toEqual({
      timeoutMs: 900_000,
      warning: expect.stringContaining("POSTERN_TOOL_CALL_TIMEOUT"),
    });
  },
);
