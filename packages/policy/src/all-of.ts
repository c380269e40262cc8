import { allowed, type ToolRule } from "@postern/tool";
import { policyErrors } from "./errors.js";

/**
 * Joins rules: what any of them refuses is refused, with the reason of the first that does.
 *
 * @param rules - Any number, asked in this order. None at all allows.
 * @returns The rule.
 * @throws {PosternError} `INVALID_RULE` when one is no rule.
 */
export function allOf(...rules: readonly ToolRule[]): ToolRule {
  for (const [at, rule] of rules.entries())
    if (typeof rule !== "function")
      throw policyErrors.INVALID_RULE({ option: `rule ${at + 1}`, problem: "it must be a rule" });
  return (listing) => {
    for (const rule of rules) {
      const decision = rule(listing);
      if (!decision.allow) return decision;
    }
    return allowed;
  };
}
