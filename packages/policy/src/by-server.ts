import { allowed, type ToolRule } from "@postern/tool";
import { policyErrors } from "./errors.js";

const allowAll: ToolRule = () => allowed;

/**
 * Gives each server a rule of its own, so that one server's filter says nothing about another's things.
 *
 * @param rules - By the owner's name of the server; the key `""` is for tools of this process. Copied.
 * @param otherwise - For servers without one. Default: allows.
 * @returns The rule.
 * @throws {PosternError} `INVALID_RULE` when a value is no rule.
 */
export function byServer(
  rules: Readonly<Record<string, ToolRule>>,
  otherwise: ToolRule = allowAll,
): ToolRule {
  const byName = new Map(Object.entries(rules));
  for (const [server, rule] of [...byName, ["otherwise", otherwise] as const])
    if (typeof rule !== "function")
      throw policyErrors.INVALID_RULE({ option: server, problem: "it must be a rule" });
  return (listing) => (byName.get(listing.server) ?? otherwise)(listing);
}
