import {
  canonicalJson,
  isInputRequiredError,
  isJsonObject,
  type Ask,
  type InputRequired,
  type JsonObject,
  type JsonValue,
} from "@postern/tool";
import { toBase64url } from "../base64url.js";
import { serverErrors, type RefusedState } from "../errors.js";
import type { ReportError } from "../identity.js";
import { Asker, type KeptAnswer, type ReachableRequest, type Retry } from "./asker.js";
import { looksLikeOurs, toTexts } from "./question-form.js";
import type { AskedRequest, QuestionSettings } from "./question-options.js";
import { createStateCodec, digestText, type StateCodec } from "./state-codec.js";

/** What travels sealed through the client between two rounds. */
interface Round {
  /** What the answers are for: server, method, name, the caller's kind and id, and the digest of the arguments. */
  readonly binding: readonly string[];
  readonly expiresAt: number;
  readonly nonce: string;
  /** Answers of earlier rounds, by question. */
  readonly answers: readonly (readonly [string, KeptAnswer])[];
  /** What this round asks: the key on the wire, the question, and the digest of what is shown. */
  readonly asked: readonly (readonly [string, string, string])[];
  /** Present when a server behind us asks; its state is none of our business, and never leaves the seal. */
  readonly upstream?: { readonly requestState?: string };
}

/** What a client sends with a retry. */
export interface SentRetry {
  readonly requestState: unknown;
  readonly inputResponses: unknown;
}

/** A longer answer counts as none: it would travel with every round after. */
const maxResponseLength = 65_536;

/** Lets the calls of one server ask, in both eras. */
export class RoundTrip {
  readonly #server: string;
  readonly #settings: QuestionSettings;
  readonly #report: ReportError;
  readonly #codec: StateCodec;
  readonly #now: () => number;

  /**
   * @param server - The name of the server: state of another one is not taken, also under the same key.
   * @param settings - How questions reach a person.
   * @param parts - Who is told of failures, and the clock in milliseconds.
   */
  constructor(
    server: string,
    settings: QuestionSettings,
    parts: { readonly report: ReportError; readonly now?: () => number },
  ) {
    this.#server = server;
    this.#settings = settings;
    this.#report = parts.report;
    this.#codec = createStateCodec(settings.stateKey);
    this.#now = parts.now ?? Date.now;
  }

  /**
   * Runs what may ask.
   *
   * @param request - The request it belongs to.
   * @param act - Does the work; it gets the `ask` of the context.
   * @returns What `act` resolved to; or the input-required outcome of the round that now begins.
   * @throws {PosternError} `QUESTION_REFUSED` for a form of a server behind us; else what `act` rejects with.
   */
  async run<T extends JsonObject>(
    request: ReachableRequest,
    act: (ask: Ask) => Promise<T>,
  ): Promise<T | InputRequired> {
    let asker: Asker | undefined;
    try {
      const outcome = await act((question) =>
        (asker ??= new Asker(request, this.#settings, this.#report)).ask(question),
      );
      return request.era === "modern" && needsInput(outcome)
        ? await this.#passOn(request, outcome, asker)
        : outcome;
    } catch (error) {
      if (!isInputRequiredError(error) || asker === undefined) throw error;
      if (asker.waiting.length === 0) throw error;
      return this.#begin(request, asker);
    }
  }

  /**
   * Opens what a client sends with a retry. The state is used up by it.
   *
   * @param request - The retried request.
   * @param sent - State and responses, as they came.
   * @returns What earlier rounds brought.
   * @throws {PosternError} `REQUEST_STATE_REFUSED`.
   */
  async open(request: AskedRequest, sent: SentRetry): Promise<Retry> {
    const { requestState, inputResponses } = sent;
    const opened =
      typeof requestState === "string" ? await this.#codec.open(requestState) : undefined;
    if (opened === undefined) throw refuse("not_ours");
    const round = opened as unknown as Round;
    if (round.expiresAt <= this.#now()) throw refuse("expired");
    // Looked at before the nonce is used: nobody else can use up what is not theirs.
    const binding = await this.#bind(request);
    if (binding.some((part, at) => part !== round.binding[at])) throw refuse("other_request");
    const isFirst = await this.#settings.nonces.use(round.nonce, round.expiresAt);
    if (!isFirst) throw refuse("used");
    const responses: JsonObject = isJsonObject(inputResponses) ? inputResponses : {};
    const answers = new Map(round.answers);
    for (const [key, id, digest] of round.asked)
      if (Object.hasOwn(responses, key))
        answers.set(id, { by: "person", digest, response: toKept(responses[key]) });
    const { upstream } = round;
    return {
      answers,
      ...(upstream === undefined ? {} : { upstream: { ...upstream, inputResponses: responses } }),
    };
  }

  async #begin(request: ReachableRequest, { waiting, answers }: Asker): Promise<InputRequired> {
    const asked = await Promise.all(
      waiting.map(async ({ id, text }, at) => [`q${at + 1}`, id, await digestText(text)] as const),
    );
    const requestState = await this.#seal(request, { asked, answers: [...answers] });
    const inputRequests = Object.fromEntries(
      waiting.map(({ form }, at): [string, JsonObject] => [
        `q${at + 1}`,
        { method: "elicitation/create", params: { mode: "form", ...form } },
      ]),
    );
    return { resultType: "input_required", inputRequests, requestState };
  }

  /** What a server behind us asks goes to the client as it is, its state inside ours. */
  async #passOn(
    request: ReachableRequest,
    outcome: InputRequired,
    asker: Asker | undefined,
  ): Promise<InputRequired> {
    const { inputRequests, requestState: theirs } = outcome;
    if (toTexts(inputRequests).some(looksLikeOurs))
      throw serverErrors.QUESTION_REFUSED({
        problem: "a server's form holds the line by which Postern's own forms begin",
      });
    const isAsking = isJsonObject(inputRequests) && Object.keys(inputRequests).length > 0;
    if (!isAsking && typeof theirs !== "string") return outcome;
    const requestState = await this.#seal(request, {
      asked: [],
      answers: [...(asker?.answers ?? request.retry?.answers ?? [])],
      upstream: typeof theirs === "string" ? { requestState: theirs } : {},
    });
    return { ...outcome, requestState };
  }

  async #seal(
    request: AskedRequest,
    parts: Pick<Round, "asked" | "answers" | "upstream">,
  ): Promise<string> {
    const round: Round = {
      ...parts,
      binding: await this.#bind(request),
      expiresAt: this.#now() + this.#settings.stateLifetimeMs,
      nonce: toBase64url(crypto.getRandomValues(new Uint8Array(16))),
    };
    return this.#codec.seal(round as unknown as JsonObject);
  }

  async #bind(request: AskedRequest): Promise<readonly string[]> {
    const { method, name, arguments: args, caller } = request;
    const digest = await digestText(canonicalJson(args));
    return [this.#server, method, name, caller.kind, caller.id, digest];
  }
}

/**
 * Tells an input-required outcome from the result of any request.
 *
 * @param result - What it resolved to.
 * @returns True when the request waits for input.
 */
export function needsInput(result: JsonObject): result is InputRequired {
  return result["resultType"] === "input_required";
}

function refuse(reason: RefusedState): ReturnType<typeof serverErrors.REQUEST_STATE_REFUSED> {
  return serverErrors.REQUEST_STATE_REFUSED({ reason });
}

function toKept(response: JsonValue | undefined): JsonValue {
  if (response === undefined || JSON.stringify(response).length > maxResponseLength) return null;
  return response;
}
