import { canonicalJson, toQuoted, type Question, type ResolvedCall } from "@postern/tool";

/** What is put to the owner about a call. */
export interface Review {
  /** The rules that want it, by name. */
  readonly rules: readonly string[];
  /** Why, in words of ours. */
  readonly reasons: readonly string[];
}

/** Longest action that is shown to a person. What does not fit is refused: what is not shown is not approved. */
const maxShown = 16_000;
const maxReason = 500;

/**
 * Asks the owner whether a call may be carried out.
 *
 * @param call - The call.
 * @param review - Why it is asked.
 * @returns True for a yes; false for everything else, and for a call that cannot be shown whole. Rejects with
 *   `INPUT_REQUIRED` where the answer comes with a retry.
 */
export async function askForApproval(call: ResolvedCall, review: Review): Promise<boolean> {
  const question = await toQuestion(call, review);
  if (question === undefined) return false;
  const answer = await call.context.ask(question);
  return answer.action === "accept" && answer.content?.["answer"] === "allow";
}

/**
 * Writes what a call does, the same for every spelling of it.
 *
 * @param call - The call.
 * @returns Server, tool, method and arguments as canonical JSON.
 */
export function toAction({ listing, method, arguments: given }: ResolvedCall): string {
  return canonicalJson({
    server: listing.server,
    tool: listing.originalName,
    method,
    arguments: given,
  });
}

async function toQuestion(call: ResolvedCall, review: Review): Promise<Question | undefined> {
  const action = toAction(call);
  const rules = [...new Set(review.rules)].toSorted();
  const reasons = [...new Set(review.reasons)];
  const tool = toQuoted(call.name, 300);
  const shown = toQuoted(action, maxShown);
  if (tool === undefined || shown === undefined) return undefined;
  if (reasons.some((reason) => reason.length > maxReason)) return undefined;
  return {
    id: `guard:${await hash(canonicalJson([action, rules]))}`,
    to: "owner",
    message: `The call of the tool ${tool} needs your word: ${reasons.join("; ")}. The call is ${shown}. Is it to be carried out?`,
    schema: {
      type: "object",
      properties: { answer: { type: "string", enum: ["allow", "deny"] } },
      required: ["answer"],
    },
    details: {
      kind: "approval",
      tool: call.name,
      action,
      verdict: { decision: "review", rules, reasons },
    },
  };
}

async function hash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
