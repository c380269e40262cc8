import type { JsonObject } from "./json.js";

/** Who makes a call. */
export interface Caller {
  /** `owner`: the person whose machine and rules these are. `remote`: anyone else. */
  readonly kind: "owner" | "remote";
  /** A stable name for the audit, never a secret. */
  readonly id: string;
  /** What its credential permits beyond calling, for instance `consent`. */
  readonly scopes: readonly string[];
  /** Verified claims of its credential, if any. */
  readonly claims?: JsonObject;
}

/** A caller of whom nothing is known. The default: it may answer nothing in the owner's place. */
export const anonymousCaller: Caller = Object.freeze({
  kind: "remote",
  id: "anonymous",
  scopes: Object.freeze([]),
});

/** A question put to a person while a call waits. */
export interface Question {
  /** Names the question within its call; the same question has the same id on every retry. */
  readonly id: string;
  /** Who may answer: the owner (consent, governance) or the caller's person (confirmation). */
  readonly to: "owner" | "caller";
  /** What is asked, in words. */
  readonly message: string;
  /** The form: a flat JSON Schema object, as MCP elicitation defines it. */
  readonly schema: JsonObject;
  /** What it is about, as data, for an asker that can show more than words. Never sent over the wire. */
  readonly details?: JsonObject;
}

/** The answer to a {@link Question}. Anything but `accept` means no. */
export interface Answer {
  /** What the person did. */
  readonly action: "accept" | "decline" | "cancel";
  /** What was filled in, when accepted. */
  readonly content?: JsonObject;
}

/**
 * Asks whoever may answer. Resolves where a person can be reached at once; rejects with `INPUT_REQUIRED` where the
 * answer comes by a retried request. So nothing with a side effect may come before the last `ask` of a call, and an
 * interceptor must let that rejection pass.
 */
export type Ask = (question: Question) => Promise<Answer>;

/** One step of progress of a call. */
export interface Progress {
  /** How far it is; grows with each step. */
  readonly progress: number;
  /** How far it will go, if known. */
  readonly total?: number;
  /** What is being done. */
  readonly message?: string;
}

/** What travels with a call beside its arguments. */
export interface CallContext {
  /** Who calls. */
  readonly caller: Caller;
  /** Aborted when the caller gives up. */
  readonly signal: AbortSignal;
  /** The call's `_meta`, our reserved keys taken out. */
  readonly meta: JsonObject;
  /** Reports progress to the caller; a no-op when it asked for none. */
  readonly progress: (step: Progress) => void;
  /** Asks a person. */
  readonly ask: Ask;
}

/** With nobody to ask, the answer is no. */
const askNobody: Ask = () => Promise.resolve({ action: "cancel" });
/** One for all: a controller of its own for each call would be a third of what a call costs. */
const neverAborted = new AbortController().signal;
const ignoreProgress = (): void => undefined;
const emptyMeta: JsonObject = Object.freeze({});

/**
 * Completes a call context. What is left out is the safe choice: an anonymous caller, a signal that never
 * aborts, and nobody to ask, so every question is answered with no.
 *
 * @param parts - What is known of the call.
 * @returns The context.
 */
export function createCallContext(parts: Partial<CallContext> = {}): CallContext {
  return {
    caller: parts.caller ?? anonymousCaller,
    signal: parts.signal ?? neverAborted,
    meta: parts.meta ?? emptyMeta,
    progress: parts.progress ?? ignoreProgress,
    ask: parts.ask ?? askNobody,
  };
}
