import { expect, test } from "vitest";
import { agentErrors } from "./errors.js";
import { toExitCode } from "./exit-code.js";

test.each([
  [agentErrors.USAGE({ problem: "p" }), 2],
  [agentErrors.UNKNOWN_SERVER({ name: "a" }), 3],
  [agentErrors.SERVER_DISABLED({ name: "a" }), 3],
  [agentErrors.SERVER_UNREACHABLE({ server: "a", reason: "r" }), 5],
  [agentErrors.INVALID_ENTRY({ problems: [] }), 3],
  [agentErrors.INVALID_FILE({ problems: [] }), 3],
  [agentErrors.NO_PROJECT_FILE({ directory: "/" }), 3],
  [agentErrors.NOT_TRUSTED(), 4],
  [agentErrors.INPUT_NEEDED(), 1],
  [agentErrors.INTERRUPTED(), 130],
  [agentErrors.TERMINATED(), 143],
  [new Error("anything else"), 70],
  ["thrown text", 70],
])("%s is exit code %i", (error, code) => {
  expect(toExitCode(error)).toBe(code);
});
