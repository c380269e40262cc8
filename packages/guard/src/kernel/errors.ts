import { defineErrors } from "@postern/errors";
import { toQuoted } from "@postern/tool";

const show = (text: string): string => toQuoted(text, 200) ?? "of a long name";

/** What the guard refuses calls with, and what it fails with when it is made. */
export const guardErrors = defineErrors({
  CALL_BLOCKED: ({
    tool,
    rules,
    reasons,
  }: {
    tool: string;
    rules: readonly string[];
    reasons: readonly string[];
  }) =>
    `The tool ${show(tool)} was not called: ${reasons.join("; ")} (${rules.join(", ")}). Nobody can allow this here. Do it another way, or leave it.`,
  APPROVAL_REFUSED: ({
    tool,
    rules,
    reasons,
  }: {
    tool: string;
    rules: readonly string[];
    reasons: readonly string[];
  }) =>
    `The tool ${show(tool)} was not called: ${reasons.join("; ")} (${rules.join(", ")}). The owner must allow such a call, and did not. Go on without it, or tell the owner what you want to do and why.`,
  INVALID_GUARD_RULE: ({ rule, problem }: { rule: string; problem: string }) =>
    `The rule ${show(rule)} cannot be used: ${problem}.`,
  INVALID_GUARD_MODE: ({ mode }: { mode: string }) =>
    `The mode must be "observe" or "enforce"; it is ${show(mode)}.`,
});
