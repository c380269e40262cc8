import type { Caller } from "@postern/tool";
import { isJsonObject } from "@postern/tool";
import { canElicit } from "../protocol/input-gate.js";
import type { Exchange } from "./exchange.js";

/** The header by which requests of one client before 2026-07-28 are known to belong together. */
export const sessionHeader = "mcp-session-id";

/** By this end of a name it is known of what its client said that it can do. */
const elicitationMark = ".elicit";

/**
 * Tells whether a client can be asked, by the name it was given at its handshake. Nothing is kept for it, so that any
 * process knows; a client that forges the mark only gets forms it cannot show.
 *
 * @param name - The name, as the client sends it.
 * @returns True for a client that declared elicitation.
 */
export function tellsOfElicitation(name: string | undefined): boolean {
  return name?.endsWith(elicitationMark) ?? false;
}

/**
 * What a session is needed for here: a client before 2026-07-28 cancels a call by a request of its own,
 * which names the call by an id that another client may be using too. So each client is given a name at its
 * handshake. Nothing is kept under it but the calls that run right now.
 */
export class LegacySessions {
  readonly #running = new Map<string, Exchange>();

  /**
   * Makes a name that nobody can guess.
   *
   * @param handshake - The message of the handshake.
   * @returns 122 random bits, and a mark when the client can be asked.
   */
  createName(handshake: unknown): string {
    const params = isJsonObject(handshake) ? handshake["params"] : undefined;
    const canAsk = isJsonObject(params) && canElicit(params["capabilities"]);
    return `${crypto.randomUUID()}${canAsk ? elicitationMark : ""}`;
  }

  /**
   * Remembers a request while it runs.
   *
   * @param exchange - Its exchange.
   * @param caller - Who sent it.
   * @param body - The message.
   * @returns Forgets it when disposed; undefined for a message that cannot be cancelled.
   */
  add(exchange: Exchange, caller: Caller, body: unknown): Disposable | undefined {
    const id = isJsonObject(body) && "method" in body ? body["id"] : undefined;
    const key = toKey(exchange, caller, id);
    if (key === undefined || this.#running.has(key)) return undefined;
    this.#running.set(key, exchange);
    return { [Symbol.dispose]: () => void this.#running.delete(key) };
  }

  /**
   * Ends the request that a message cancels, if it is such a message and the request runs here.
   *
   * @param exchange - The exchange of the message.
   * @param caller - Who sent it.
   * @param body - The message.
   */
  cancel(exchange: Exchange, caller: Caller, body: unknown): void {
    if (!isJsonObject(body) || body["method"] !== "notifications/cancelled") return;
    const { params } = body;
    const key = toKey(exchange, caller, isJsonObject(params) ? params["requestId"] : undefined);
    const cancelled = key === undefined ? undefined : this.#running.get(key);
    // The client waits for no answer, only for the end of the exchange.
    if (cancelled?.streaming === false) cancelled.answer(202, "");
    cancelled?.abort();
  }
}

function toKey(exchange: Exchange, caller: Caller, id: unknown): string | undefined {
  const name = exchange.header(sessionHeader);
  if (name === undefined || (typeof id !== "string" && typeof id !== "number")) return undefined;
  return JSON.stringify([caller.id, name, id]);
}
