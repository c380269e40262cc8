import { expect, it } from "vitest";
import { parseMaxTimeout } from "./max-timeout.js";

it.each([
  [undefined, 600],
  ["", 600],
  [" ", 600],
  ["30", 30],
  [" 1.5 ", 1.5],
  ["1e2", 100],
  ["+.5", 0.5],
])("reads %j", (text, maxSeconds) => {
  expect(parseMaxTimeout(text)).toEqual({ maxSeconds });
});

it.each(["0", "-1", "nope", "inf", "-inf", "Infinity", "nan", "1e999", "0x10", "1_000", "5s"])(
  "falls back to 600 s for %j, and warns with the variable's name",
  (text) => {
    expect(parseMaxTimeout(text)).toEqual({
      maxSeconds: 600,
      warning: expect.stringContaining("POSTERN_RUN_COMMAND_MAX_TIMEOUT"),
    });
  },
);
