import {
  errorResult,
  findResultError,
  isInputRequired,
  type CallOutcome,
  type CallTool,
  type Interceptor,
  type Listing,
  type ResolvedCall,
} from "@postern/tool";
import { askForApproval, toAction, type Review } from "../approval/ask-for-approval.js";
import { assess, mayReachOut, type Assessed } from "./assess.js";
import { findLeaves, readShape, type CallShape } from "./call-shape.js";
import { taintErrors } from "./errors.js";
import { createTaintLedger, findReferences, type Ledger, type TaintLedger } from "./ledger.js";
import { taintRules, type TaintFinding, type TaintRule } from "./rules.js";
import { toPlainPath } from "./tainted-files.js";

/** The `_meta` key by which a host names the conversation of a call. Counts only where the host put it. */
export const conversationMetaKey = "dev.postern/conversation";

/** What became of a call that the ledger asked about. */
export interface TaintEvent {
  /** The call, as it came. */
  readonly call: ResolvedCall;
  /** Why it was put to the owner; at least one. */
  readonly findings: readonly TaintFinding[];
  /** Whether it was carried out. */
  readonly outcome: "allowed" | "refused";
}

/** How {@link trackTaint} works. */
export interface TrackTaintOptions {
  /** Shared by the interceptors of a fan-out. Default: one of its own. */
  readonly ledger?: TaintLedger;
  /** Names the worker whose calls these are, among those that share a ledger and a conversation. Default: empty. */
  readonly worker?: string;
  /** Names the conversation of a call. Default: caller and `dev.postern/conversation`; the anonymous share one. */
  readonly conversation?: (call: ResolvedCall) => string;
  /** Whether a listing is of our own bundled server. Default: it is of this process. */
  readonly isOurs?: (listing: Listing) => boolean;
  /** Whether a listing's word that it reads no open world is believed. Default: everybody's. */
  readonly believes?: (listing: Listing) => boolean;
  /** What a review comes to: the owner is asked, or the answer is always no, or always yes. Default: `ask`. */
  readonly approvals?: "ask" | "deny" | "allow";
  /** Once anything untrusted was read, every exec, write and send asks. Default: false. */
  readonly narrowing?: boolean;
  /** The same non-idempotent side effect happens once in a conversation. Default: false. */
  readonly once?: boolean;
  /** Rules that are switched off. Default: none. */
  readonly off?: readonly TaintRule[];
  /** Told of every review. */
  readonly onReview?: (event: TaintEvent) => void;
}

/**
 * Follows what was read from untrusted sources into later calls, and puts to the owner those that would run it, write
 * it where it runs, or send it. Results of open-world and of unannotated tools are untrusted. It never blocks: a call
 * that the owner allows is carried out. Only verbatim text of 40 characters and more, its common encodings, addresses
 * and files are followed; a paraphrase is not, and `narrowing` is there for that.
 *
 * @param options - Ledger, scope and switches.
 * @returns The interceptor. Refusals are results: `TAINTED_CALL_REFUSED`, and for a repeat `ALREADY_DONE`, an error
 * because a tool's output schema does not hold for it.
 */
export function trackTaint(options: TrackTaintOptions = {}): Interceptor {
  const tracker = new Tracker(options);
  return (next) => (call) => tracker.run(call, next);
}

class Tracker {
  readonly #options: TrackTaintOptions;
  readonly #ledger: Ledger;
  readonly #on: ReadonlySet<TaintRule>;
  readonly #isOurs: (listing: Listing) => boolean;

  constructor(options: TrackTaintOptions) {
    this.#options = options;
    this.#ledger = (options.ledger ?? createTaintLedger()) as Ledger;
    this.#isOurs = options.isOurs ?? (({ server }) => server === "");
    const off = new Set<TaintRule>(options.off);
    if (options.narrowing !== true) off.add("narrowing");
    if (options.once !== true) off.add("repeat");
    this.#on = new Set(taintRules.filter((rule) => !off.has(rule)));
  }

  async run(call: ResolvedCall, next: CallTool): Promise<CallOutcome> {
    const known = this.#know(call);
    const { conversation } = known;
    const shape = readShape(call);
    const repeat = this.#toRepeatKey(call, shape);
    if (repeat !== undefined && conversation.done.has(repeat))
      return errorResult(taintErrors.ALREADY_DONE({ tool: call.name }));
    const { findings, taints } = assess(shape, known);
    if (findings.length > 0 && !(await this.#review(call, findings)))
      return errorResult(
        taintErrors.TAINTED_CALL_REFUSED({
          tool: call.name,
          reasons: [...new Set(findings.map(({ reason }) => reason))],
        }),
      );
    // Before the call, so that of two at once only one is carried out.
    if (repeat !== undefined) conversation.addDone(repeat);
    let outcome: CallOutcome | undefined;
    try {
      outcome = await next(call);
      return outcome;
    } finally {
      if (repeat !== undefined && !isDone(outcome)) conversation.done.delete(repeat);
      conversation.addFiles(taints);
      if (outcome !== undefined) this.#record({ call, shape, outcome }, known);
    }
  }

  #know(call: ResolvedCall): Assessed {
    if (!this.#isOurs(call.listing)) this.#ledger.addListings([call.listing]);
    const key = this.#options.conversation?.(call) ?? toConversationKey(call);
    return {
      ledger: this.#ledger,
      conversation: this.#ledger.open(key),
      worker: this.#options.worker ?? "",
      isOn: (rule) => this.#on.has(rule),
    };
  }

  #toRepeatKey(call: ResolvedCall, shape: CallShape): string | undefined {
    const isOnce = shape.isSend && call.listing.annotations?.idempotentHint !== true;
    return this.#on.has("repeat") && isOnce ? toAction(call) : undefined;
  }

  async #review(call: ResolvedCall, findings: readonly TaintFinding[]): Promise<boolean> {
    const approvals = this.#options.approvals ?? "ask";
    const isAllowed =
      approvals === "ask" ? await askForApproval(call, toReview(findings)) : approvals === "allow";
    this.#options.onReview?.({ call, findings, outcome: isAllowed ? "allowed" : "refused" });
    return isAllowed;
  }

  #record(
    { call, shape, outcome }: { call: ResolvedCall; shape: CallShape; outcome: CallOutcome },
    { conversation, worker }: Assessed,
  ): void {
    // A refusal of ours was said by nobody else.
    if (findResultError(outcome) !== undefined) return;
    const texts = findLeaves(outcome)
      .map(({ text }) => text)
      .filter((text) => text !== "");
    const isOfTaintedFile = shape.leaves.some(
      ({ text }) => text.length < 4_096 && conversation.isTaintedFile(toPlainPath(text)),
    );
    if (!isOfTaintedFile && !this.#isUntrusted(call, shape)) {
      conversation.addLocal(texts);
      return;
    }
    const named = shape.leaves.flatMap(({ text }) => findReferences(text));
    conversation.addUntrusted(texts, { worker, named });
    if (shape.isExec) return;
    conversation.addSources(named, worker);
    // A download: what it wrote is what it fetched.
    if (!isOfTaintedFile) conversation.addFiles(shape.writes);
  }

  #isUntrusted({ method, listing }: ResolvedCall, shape: CallShape): boolean {
    const isOpen = listing.annotations?.openWorldHint;
    if (!this.#isOurs(listing))
      return isOpen !== false || this.#options.believes?.(listing) === false;
    if (method !== "tools/call") return isOpen === true;
    // Our own shell is open to the world only as far as its command is.
    return isOpen !== false && (!shape.isExec || shape.commands.some((each) => mayReachOut(each)));
  }
}

function toConversationKey({ context }: ResolvedCall): string {
  const named = context.meta[conversationMetaKey];
  return JSON.stringify([
    context.caller.kind,
    context.caller.id,
    typeof named === "string" ? named : "",
  ]);
}

function isDone(outcome: CallOutcome | undefined): boolean {
  return outcome !== undefined && !isInputRequired(outcome) && outcome.isError !== true;
}

function toReview(findings: readonly TaintFinding[]): Review {
  return {
    rules: findings.map(({ rule }) => `taint:${rule}`),
    reasons: findings.map(({ reason }) => reason),
  };
}
