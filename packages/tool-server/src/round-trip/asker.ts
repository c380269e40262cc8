import {
  canonicalJson,
  toolErrors,
  type Answer,
  type JsonValue,
  type Question,
} from "@postern/tool";
import { serverErrors } from "../errors.js";
import type { ReportError } from "../identity.js";
import { canElicit } from "../protocol/input-gate.js";
import { readAnswer, toForm, type Form } from "./question-form.js";
import type { AskedRequest, QuestionSettings } from "./question-options.js";
import { digestText } from "./state-codec.js";

/**
 * Shows a form to the person behind a connection, and waits for what comes back: at most `timeoutMs` milliseconds, and
 * no longer than the signal. Resolves to undefined, or rejects, when nothing comes.
 */
export type Elicit = (form: Form, limits: ElicitLimits) => Promise<unknown>;

/** How long an answer is waited for. */
export interface ElicitLimits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** An answer that an earlier round brought. */
export interface KeptAnswer {
  /** Who gave it: the person behind the client, or the owner by `askOwner`. */
  readonly by: "person" | "owner";
  /** Of the question as it was shown. An answer counts for nothing else. */
  readonly digest: string;
  readonly response: JsonValue;
}

/** What a retried request brought. */
export interface Retry {
  /** Answers to our own questions, by the question's id. */
  readonly answers: ReadonlyMap<string, KeptAnswer>;
  /** What a server behind us asked for, with the state it gave. */
  readonly upstream?: { readonly inputResponses: JsonValue; readonly requestState?: string };
}

/** A request, and how the person behind it is reached. */
export interface ReachableRequest extends AskedRequest {
  readonly era: "legacy" | "modern";
  /** What the client says it can do. */
  readonly capabilities: unknown;
  /** Of the legacy era only: how to ask while the request waits. Absent where its carrier has no way back. */
  readonly elicit?: Elicit | undefined;
  /** Of the modern era only: what earlier rounds brought. */
  readonly retry?: Retry | undefined;
}

/** A question whose answer comes with a retry. */
export interface WaitingQuestion {
  readonly id: string;
  readonly form: Form;
  /** What its digest is made of. */
  readonly text: string;
}

const no: Answer = Object.freeze({ action: "cancel" });

/** Puts the questions of one request to whoever may answer them. Made with the first question. */
export class Asker {
  /** Answers for the next round. */
  readonly answers: Map<string, KeptAnswer>;
  /** What the next round asks. */
  readonly waiting: WaitingQuestion[] = [];
  readonly #asked = new Map<string, { readonly text: string; readonly answer: Promise<Answer> }>();
  readonly #request: ReachableRequest;
  readonly #settings: QuestionSettings;
  readonly #report: ReportError;

  /**
   * @param request - The request.
   * @param settings - How questions reach a person.
   * @param report - Told when `askOwner` fails.
   */
  constructor(request: ReachableRequest, settings: QuestionSettings, report: ReportError) {
    this.#request = request;
    this.#settings = settings;
    this.#report = report;
    this.answers = new Map(request.retry?.answers);
  }

  /** As {@link Ask}. A question that is asked again while the request runs is asked once. */
  async ask(question: Question): Promise<Answer> {
    const answerer = this.#findAnswerer(question);
    if (answerer === undefined) return no;
    const { id, to, message, schema } = question;
    const text = canonicalJson({ to, message, schema });
    const known = this.#asked.get(id);
    // An answer that was given to one must not count for the other.
    if (known !== undefined && known.text !== text)
      throw serverErrors.QUESTION_REFUSED({ problem: "another question of the call has its id" });
    if (known !== undefined) return known.answer;
    // Nothing is waited for before a new question stands in line: all that are asked at once go in one round.
    const answer =
      answerer === "owner" ? this.#askOwner(question, text) : this.#askPerson(question, text);
    this.#asked.set(id, { text, answer });
    return answer;
  }

  #findAnswerer({ to }: Question): KeptAnswer["by"] | undefined {
    const { caller, capabilities, era, elicit } = this.#request;
    if (to === "owner" && caller.kind !== "owner" && !caller.scopes.includes("consent"))
      return this.#settings.askOwner === undefined ? undefined : "owner";
    const isReachable = canElicit(capabilities) && (era === "modern" || elicit !== undefined);
    return isReachable ? "person" : undefined;
  }

  async #askPerson(question: Question, text: string): Promise<Answer> {
    const form = toForm(question);
    const { elicit, signal, era } = this.#request;
    if (era === "legacy") {
      const { timeoutMs } = this.#settings;
      const response = await elicit?.(form, { signal, timeoutMs }).catch(() => undefined);
      return readAnswer(question, response);
    }
    if (this.answers.has(question.id)) {
      const kept = await this.#findKept(question, text, "person");
      if (kept !== undefined) return readAnswer(question, kept.response);
    }
    this.waiting.push({ id: question.id, form, text });
    throw toolErrors.INPUT_REQUIRED();
  }

  async #askOwner(question: Question, text: string): Promise<Answer> {
    const kept = await this.#findKept(question, text, "owner");
    if (kept !== undefined) return readAnswer(question, kept.response);
    const { method, name, arguments: args, caller, signal } = this.#request;
    const request = { method, name, arguments: args, caller, signal };
    let response: unknown;
    try {
      response = await untilAborted(signal, this.#settings.askOwner?.(question, request));
    } catch (error) {
      this.#report(error);
    }
    const answer = readAnswer(question, response);
    const digest = await digestText(text);
    this.answers.set(question.id, { by: "owner", digest, response: { ...answer } });
    return answer;
  }

  async #findKept(
    { id }: Question,
    text: string,
    by: KeptAnswer["by"],
  ): Promise<KeptAnswer | undefined> {
    const kept = this.answers.get(id);
    if (kept?.by === by && kept.digest === (await digestText(text))) return kept;
    this.answers.delete(id);
    return undefined;
  }
}

function untilAborted<T>(
  signal: AbortSignal,
  promise: Promise<T> | undefined,
): Promise<T | undefined> {
  if (promise === undefined || signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const end = (): void => resolve(undefined);
    signal.addEventListener("abort", end, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", end));
  });
}
