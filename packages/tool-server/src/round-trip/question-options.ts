import type { Answer, Caller, JsonObject, Question } from "@postern/tool";
import { serverErrors } from "../errors.js";
import { createMemoryNonceStore, type NonceStore } from "./nonce-store.js";
import { minKeyBytes } from "./state-codec.js";

/** What a question is about. */
export interface AskedRequest {
  /** `tools/call`, `resources/read` or `prompts/get`. */
  readonly method: string;
  /** The tool, prompt or URI. */
  readonly name: string;
  /** The arguments of a tool or prompt. */
  readonly arguments: JsonObject;
  /** Who sent it. */
  readonly caller: Caller;
  /** Aborted when the caller gives up. */
  readonly signal: AbortSignal;
}

/**
 * Asks the owner by another way than the caller's client, for instance by a file. Its answer is held against the
 * question's schema; a rejection counts as no.
 */
export type AskOwner = (question: Question, request: AskedRequest) => Promise<Answer>;

/** How questions of calls reach a person. */
export interface QuestionOptions {
  /**
   * Asks the owner for remote callers who may not answer in the owner's place. Default: nobody is asked, and the answer
   * is no.
   */
  readonly askOwner?: AskOwner;
  /**
   * How long a client before 2026-07-28 is waited for, in milliseconds; then the answer is no. Default: 300,000.
   */
  readonly timeoutMs?: number;
  /** How long a client of 2026-07-28 may take for its retry, in milliseconds. Default: 600,000. */
  readonly stateLifetimeMs?: number;
  /**
   * Key of the sealed state: at least 32 secret bytes, the same for all processes that answer retries of each other's
   * calls. Needs `nonces`. Default: a key made at start, known to this process only.
   */
  readonly stateKey?: Uint8Array;
  /** Where it is remembered which states were used. Default: in memory. */
  readonly nonces?: NonceStore;
}

/** The options, whole. */
export type QuestionSettings = Required<Omit<QuestionOptions, "askOwner" | "stateKey">> &
  Pick<QuestionOptions, "askOwner" | "stateKey">;

const defaultTimeoutMs = 300_000;
const defaultLifetimeMs = 600_000;
/** Timers run no longer. */
const maxMs = 2_147_483_647;

/**
 * Completes the options.
 *
 * @param options - What was given.
 * @returns All of them.
 * @throws {PosternError} `INVALID_OPTIONS`.
 */
export function toQuestionSettings(options: QuestionOptions = {}): QuestionSettings {
  const { timeoutMs = defaultTimeoutMs, stateLifetimeMs = defaultLifetimeMs } = options;
  const { stateKey, nonces } = options;
  const problem =
    !isDuration(timeoutMs) || !isDuration(stateLifetimeMs)
      ? "`timeoutMs` and `stateLifetimeMs` of `questions` must be whole milliseconds, from 1 to 2147483647"
      : stateKey !== undefined && stateKey.byteLength < minKeyBytes
        ? `\`stateKey\` of \`questions\` needs at least ${minKeyBytes} bytes`
        : stateKey !== undefined && nonces === undefined
          ? // Another process, or the next one, would take a state that was used in this one.
            "`stateKey` of `questions` needs `nonces` that the processes share as well"
          : undefined;
  if (problem !== undefined) throw serverErrors.INVALID_OPTIONS({ problem });
  return {
    ...options,
    timeoutMs,
    stateLifetimeMs,
    nonces: nonces ?? createMemoryNonceStore(),
  };
}

function isDuration(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1 && value <= maxMs;
}
