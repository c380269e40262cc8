import type { GuardSettings } from "@postern/config";
import { govern, type GuardEvent } from "@postern/guard";
import type { Interceptor } from "@postern/tool";
import type { HostEvent } from "./host-options.js";

/** What decides how calls are judged. */
export interface GuardChoice {
  /** What the owner says now, or the configuration. */
  readonly mode: GuardSettings["mode"] & string;
  /** The `guard` part of the configuration. */
  readonly settings: GuardSettings | undefined;
  /** Is told of every call that a rule spoke about. */
  readonly tell: (event: HostEvent) => void;
}

/**
 * Makes what judges calls by rules. Made when the host is opened, so that a rule that cannot be used is known at once.
 *
 * @param choice - What decides.
 * @returns The interceptors: none in the mode `off`.
 * @throws {PosternError} `INVALID_GUARD_RULE`.
 */
export function createGuard({ mode, settings = {}, tell }: GuardChoice): readonly Interceptor[] {
  if (mode === "off") return [];
  const guard = govern({
    mode,
    approvals: settings.approvals ?? "ask",
    rules: settings.rules ?? [],
    onVerdict: (event) => tell(toHostEvent(event)),
  });
  return [guard];
}

function toHostEvent({ call, verdict, outcome }: GuardEvent): HostEvent {
  const { decision, rules, reasons } = verdict;
  const level = decision === "review" || decision === "block" ? "warning" : "info";
  const message = `${call.name}: ${decision} by ${rules.join(", ")} (${reasons.join("; ")}), ${outcome}`;
  return { level, server: call.listing.server, message };
}
