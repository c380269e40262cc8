import {
  errorResult,
  toQuoted,
  type CallOutcome,
  type CallTool,
  type Interceptor,
  type ResolvedCall,
} from "@postern/tool";
import { askForApproval, toAction } from "../approval/ask-for-approval.js";
import { readAction } from "./action-texts.js";
import { builtInRules } from "./built-in-rules.js";
import { toStricter, type Decision } from "./decision.js";
import { guardErrors } from "./errors.js";
import { toReadyRules, type GuardRule, type ReadyRule } from "./owner-rules.js";
import { findShellCommands } from "./shell-commands.js";

/** What the rules say of a call. */
export interface Verdict {
  /** The most severe decision. */
  readonly decision: Decision;
  /** The rules that matched, by name; empty when none did. */
  readonly rules: readonly string[];
  /** Why, in words; text of a configuration is quoted. */
  readonly reasons: readonly string[];
}

/** What became of a call that a rule spoke about. */
export interface GuardEvent {
  /** The call. */
  readonly call: ResolvedCall;
  /** What the rules said. */
  readonly verdict: Verdict;
  /** Whether it was carried out. */
  readonly outcome: "allowed" | "refused";
}

/** How {@link govern} works. */
export interface GovernOptions {
  /** `enforce` asks for a review; `observe` lets it pass and tells `onVerdict`. A block is refused in both. */
  readonly mode: "observe" | "enforce";
  /** What a review comes to: the owner is asked, or the answer is always no, or always yes. Default: `ask`. */
  readonly approvals?: "ask" | "deny" | "allow";
  /** Rules beside those built in. Default: none. */
  readonly rules?: readonly GuardRule[];
  /** Judges calls that no rule reviews or blocks. A rejection counts as a review. Default: nobody. */
  readonly judge?: (call: ResolvedCall) => Promise<Decision>;
  /** Told of every call that a rule spoke about. */
  readonly onVerdict?: (event: GuardEvent) => void;
}

/** So many allowed actions are remembered. */
const maxPrecedents = 10_000;

/**
 * Judges calls by rules, by what their arguments hold and never by the names of tools, and puts those that need it to the
 * owner. What the owner allowed is not asked again for the same caller and the identical call, until the process ends.
 *
 * @param options - Mode, approvals and rules.
 * @returns The interceptor. Refusals are results: `CALL_BLOCKED` and `APPROVAL_REFUSED`.
 * @throws {PosternError} `INVALID_GUARD_RULE`, `INVALID_GUARD_MODE`.
 */
export function govern(options: GovernOptions): Interceptor {
  const guard = new Guard(options);
  return (next) => (call) => guard.run(call, next);
}

class Guard {
  readonly #options: GovernOptions;
  readonly #rules: readonly ReadyRule[];
  readonly #allowed = new Set<string>();

  constructor(options: GovernOptions) {
    const { mode, rules = [] } = options;
    // An unknown mode must not become "off".
    if (mode !== "observe" && mode !== "enforce")
      throw guardErrors.INVALID_GUARD_MODE({ mode: String(mode) });
    this.#options = options;
    this.#rules = toReadyRules(rules);
  }

  async run(call: ResolvedCall, next: CallTool): Promise<CallOutcome> {
    const verdict = await this.#judge(call);
    const refusal = await this.#decide(call, verdict);
    if (verdict.rules.length > 0)
      this.#options.onVerdict?.({
        call,
        verdict,
        outcome: refusal === undefined ? "allowed" : "refused",
      });
    return refusal ?? next(call);
  }

  async #judge(call: ResolvedCall): Promise<Verdict> {
    const verdict = judgeByRules(call, this.#rules);
    const { judge } = this.#options;
    if (judge === undefined || verdict.decision === "review" || verdict.decision === "block")
      return verdict;
    const decision = await judge(call).catch((): Decision => "review");
    if (decision === "allow") return verdict;
    return {
      decision: toStricter(decision, verdict.decision),
      rules: [...verdict.rules, "judge"],
      reasons: [...verdict.reasons, "the judge thinks so"],
    };
  }

  async #decide(call: ResolvedCall, verdict: Verdict): Promise<CallOutcome | undefined> {
    const { name: tool } = call;
    const { decision, rules, reasons } = verdict;
    if (decision === "block")
      return errorResult(guardErrors.CALL_BLOCKED({ tool, rules, reasons }));
    if (decision !== "review" || this.#options.mode === "observe") return undefined;
    const approvals = this.#options.approvals ?? "ask";
    const { kind, id } = call.context.caller;
    const key = JSON.stringify([kind, id, toAction(call), rules]);
    const isAllowed =
      approvals === "ask"
        ? this.#allowed.has(key) || (await askForApproval(call, { rules, reasons }))
        : approvals === "allow";
    if (!isAllowed) return errorResult(guardErrors.APPROVAL_REFUSED({ tool, rules, reasons }));
    if (this.#allowed.size < maxPrecedents) this.#allowed.add(key);
    return undefined;
  }
}

function judgeByRules(call: ResolvedCall, own: readonly ReadyRule[]): Verdict {
  const { lines, documents } = readAction(call);
  const text = lines.join("\n");
  const subject = {
    commands: lines.slice(1).flatMap((line) => findShellCommands(line)),
    text,
    whole: documents.length === 0 ? text : [text, ...documents].join("\n"),
  };
  let decision: Decision = "allow";
  const rules: string[] = [];
  const reasons: string[] = [];
  const add = (
    rule: { readonly name: string; readonly decision: Decision },
    reason: string,
  ): void => {
    decision = toStricter(decision, rule.decision);
    rules.push(rule.name);
    reasons.push(reason);
  };
  for (const rule of builtInRules) if (rule.matches(subject)) add(rule, rule.reason);
  for (const { rule, isFor, matches } of own)
    if (isFor(call.name) && lines.some(matches)) add(rule, toReason(rule));
  return { decision, rules, reasons };
}

/** Names and reasons of a configuration are text of others: a project may have written them. */
function toReason({ name, reason }: GuardRule): string {
  const quoted = toQuoted(reason ?? "", 300);
  const shown = toQuoted(name, 80) ?? "of a long name";
  return reason === undefined || quoted === undefined
    ? `the rule ${shown} says so`
    : `the rule ${shown} says ${quoted}`;
}
