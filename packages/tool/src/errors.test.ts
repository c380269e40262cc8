import { expect, it } from "vitest";
import { toolErrors } from "./errors.js";

it("says what happened and what to do", () => {
  const messages = [
    toolErrors.UNKNOWN_TOOL({ name: "a" }),
    toolErrors.UNKNOWN_PROMPT({ name: "a" }),
    toolErrors.UNKNOWN_RESOURCE({ uri: "x://a" }),
    toolErrors.UNKNOWN_METHOD({ method: "a/b" }),
    toolErrors.INVALID_ARGUMENTS({ problems: ["a: no", "b: no"] }),
    toolErrors.OUTPUT_MISMATCH({ name: "a", problems: ["b: no"] }),
  ].map(({ message }) => message);
  expect(messages).toEqual([
    'There is no tool named "a". List the tools to see what may be called.',
    'There is no prompt named "a". List the prompts to see what may be used.',
    'There is no resource "x://a". List the resources to see what may be read.',
    'The method "a/b" is not served here.',
    "The arguments do not fit the tool's input schema: a: no; b: no. Correct them and call again.",
    'The tool "a" ran, but its result does not fit its own output schema: b: no. Tell its author.',
  ]);
});

it("quotes a name on one line: controls, bidirectional and invisible characters escaped", () => {
  const name = 'a"\n\u001b[31m\u007f\u061c\u200b\u202e\u2066\ufeff\u{e0041}\ud800z';
  expect(toolErrors.UNKNOWN_TOOL({ name }).message).toBe(
    String.raw`There is no tool named "a\"\n\u001b[31m\u{7f}\u{61c}\u{200b}\u{202e}\u{2066}\u{feff}\u{e0041}\ud800z". List the tools to see what may be called.`,
  );
});

it("cuts a long name to 100 characters", () => {
  const { message } = toolErrors.UNKNOWN_TOOL({ name: "x".repeat(1_000_000) });
  expect(message).toContain(`"${"x".repeat(99)}…"`);
  expect(message.length).toBeLessThan(200);
});
