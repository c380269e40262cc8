import { keepAliveComment, type Exchange } from "./exchange.js";

/** A call that is silent for this long becomes an event stream, for HTTP clients give up on a silent answer. */
const quietMs = 10_000;
const tickMs = 5_000;

/** Keeps long calls and open streams from being taken for dead: one timer for all, none per call. */
export class KeepAlive {
  readonly #quietSince = new Map<Exchange, number>();
  readonly #now: () => number;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param now - The clock, in milliseconds. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Begins to care for an exchange whose client accepts an event stream. */
  add(exchange: Exchange): void {
    this.#quietSince.set(exchange, this.#now());
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.tick(), tickMs);
    // Where timers can hold a process (Node), this one does not.
    const timer: unknown = this.#timer;
    if (typeof timer === "object" && timer !== null && "unref" in timer)
      (timer as { unref(): void }).unref();
  }

  /** Ends the care. */
  delete(exchange: Exchange): void {
    this.#quietSince.delete(exchange);
  }

  /** Looks once at every exchange. */
  tick(): void {
    const now = this.#now();
    for (const [exchange, since] of this.#quietSince) {
      if (now - since < quietMs) continue;
      this.#quietSince.set(exchange, now);
      exchange.stream(keepAliveComment);
    }
    if (this.#quietSince.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Stops the timer. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#quietSince.clear();
  }
}
