import { expect, it } from "vitest";
import { toDisplay, type CommandOutcome } from "./to-display.js";

const show = (outcome: Partial<CommandOutcome>, error = ""): string | undefined => {
  const silent = { command: "do it", returncode: 0, signal: null, stdout: "", stderr: "" };
  return toDisplay({ ...silent, background: [], ...outcome }, error)?.text;
};

it("is nothing for a silent success", () => {
  expect(show({})).toBeUndefined();
});

it("is the command and its exit code for a silent failure", () => {
  expect(show({ returncode: 2 })).toBe("$ do it\n[exit 2]");
});

it("has sections for each stream, an error and what is left running, in this order", () => {
  const background = [{ pid: 7, command: "serve" }];
  expect(show({ stdout: "out\n", stderr: "err", background, returncode: null }, "late")).toBe(
    "$ do it\nout\n--- stderr ---\nerr\n--- error ---\nlate\n--- background ---\n7 serve",
  );
});

it("shows an exit code of 0 after output", () => {
  expect(show({ stdout: "out" })).toBe("$ do it\nout\n[exit 0]");
});

it("names the signal", () => {
  expect(show({ returncode: null, signal: "SIGSEGV" })).toBe("$ do it\n[killed by SIGSEGV]");
});
