import { describe, expect, it } from "vitest";
import type { Exchange } from "./exchange.js";
import { KeepAlive } from "./keep-alive.js";

/** An exchange that remembers what was streamed. */
function createExchange(): { readonly exchange: Exchange; readonly sent: readonly string[] } {
  const sent: string[] = [];
  return { exchange: { stream: (text: string) => sent.push(text) } as unknown as Exchange, sent };
}

describe("KeepAlive", () => {
  it("says something every ten seconds to whoever waits", () => {
    let now = 0;
    const keepAlive = new KeepAlive(() => now);
    const { exchange, sent } = createExchange();
    keepAlive.add(exchange);
    const counts = [5_000, 10_000, 15_000, 20_000].map((time) => {
      now = time;
      keepAlive.tick();
      return sent.length;
    });
    keepAlive.close();
    expect([counts, sent[0]]).toEqual([[0, 1, 1, 2], ": keepalive\n\n"]);
  });

  it("says nothing to whoever was answered", () => {
    let now = 0;
    const keepAlive = new KeepAlive(() => now);
    const { exchange, sent } = createExchange();
    keepAlive.add(exchange);
    keepAlive.delete(exchange);
    now = 60_000;
    keepAlive.tick();
    expect(sent).toEqual([]);
  });
});
