import { isJsonObject, type Caller } from "@postern/tool";
import type { ElicitLimits, ReachableRequest } from "../round-trip/asker.js";
import type { Form } from "../round-trip/question-form.js";
import { toEvent, type Exchange } from "./exchange.js";
import { sessionHeader, tellsOfElicitation } from "./legacy-session.js";

/** How a caller is reached. */
type Reach = Pick<ReachableRequest, "capabilities" | "elicit">;

/** A question that is on its way: where it goes, and who may answer it. */
interface Asking {
  readonly exchange: Exchange;
  readonly caller: Caller;
}

const unreachable: Reach = Object.freeze({ capabilities: undefined });
const capabilities = Object.freeze({ elicitation: Object.freeze({ form: Object.freeze({}) }) });

/**
 * Asks clients before 2026-07-28 on the response stream of the very call that asks. The answer comes by a request of its
 * own, which names the question by an id that only its client was told.
 */
export class PushedQuestions {
  readonly #waiting = new Map<string, (response: unknown) => void>();

  /**
   * Finds how the person behind a call is reached.
   *
   * @param exchange - The call's exchange.
   * @param caller - Who sent it.
   * @returns By its own stream, when its session belongs to a client that can be asked; else not at all.
   */
  findReach(exchange: Exchange, caller: Caller): Reach {
    return tellsOfElicitation(exchange.header(sessionHeader))
      ? { capabilities, elicit: (form, limits) => this.#ask({ exchange, caller }, form, limits) }
      : unreachable;
  }

  /**
   * Hands an answer to the call that waits for it.
   *
   * @param asking - The exchange of the message, and who sent it.
   * @param message - The message.
   * @returns True when the message was such an answer.
   */
  deliver(asking: Asking, message: unknown): boolean {
    if (!isJsonObject(message) || "method" in message) return false;
    const take = this.#waiting.get(toKey(asking, message["id"]));
    if (take === undefined) return false;
    take(message["result"]);
    return true;
  }

  #ask(asking: Asking, params: Form, { signal, timeoutMs }: ElicitLimits): Promise<unknown> {
    const { exchange } = asking;
    const id = crypto.randomUUID();
    const key = toKey(asking, id);
    const send = (message: object): void =>
      exchange.stream(toEvent(JSON.stringify({ jsonrpc: "2.0", ...message })));
    if (signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const end = (response?: unknown): void => {
        this.#waiting.delete(key);
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        resolve(response);
      };
      const onAbort = (): void => end();
      const timer = setTimeout(() => {
        // The person need not answer what nobody waits for.
        send({ method: "notifications/cancelled", params: { requestId: id, reason: "timeout" } });
        end();
      }, timeoutMs);
      signal.addEventListener("abort", onAbort);
      this.#waiting.set(key, end);
      send({ id, method: "elicitation/create", params });
    });
  }
}

function toKey({ exchange, caller }: Asking, id: unknown): string {
  return JSON.stringify([caller.kind, caller.id, exchange.header(sessionHeader), id]);
}
