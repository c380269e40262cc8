import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { paperErrors } from "./errors.js";
import { findInTurn, type Candidate } from "./find-in-turn.js";
import { createLimits } from "./limits.js";

const find = (
  candidates: readonly Candidate<string>[],
  ms = 1000,
  signal = new AbortController().signal,
) =>
  findInTurn(candidates, {
    whole: { signal, deadlineMs: performance.now() + ms },
    maxShareMs: ms / 2,
    limits: createLimits(),
    isEnough: (value) => value !== "",
  });

const good: Candidate<string> = { name: "good", ask: async () => "yes" };
const deaf: Candidate<string> = { name: "deaf", ask: () => sleep(3000, "late", { ref: false }) };

describe("findInTurn()", () => {
  it("gives the first answer that will do, and tells of those before", async () => {
    const none: Candidate<string> = { name: "none", ask: async () => "" };
    expect(await find([none, good, deaf])).toEqual({
      enough: { name: "good", value: "yes" },
      others: [{ name: "none", value: "" }],
      failures: [],
    });
  });

  it("waits for nobody who does not heed the signal", async () => {
    const start = performance.now();
    const found = await find([deaf, deaf, good], 300);
    expect(performance.now() - start).toBeLessThan(280);
    expect(found.enough?.name).toBe("good");
    expect(found.failures).toEqual([
      { name: "deaf", reason: "no complete answer in time" },
      { name: "deaf", reason: "no complete answer in time" },
    ]);
  });

  it("never takes longer than there is time", async () => {
    const start = performance.now();
    const found = await find([deaf, deaf, deaf], 200);
    expect(performance.now() - start).toBeLessThan(300);
    expect(found).toMatchObject({ enough: undefined, others: [] });
  });

  it("tells nothing of what an unknown error says", async () => {
    const canary = "key-4711";
    const bad: Candidate<string> = {
      name: "bad",
      ask: () => {
        throw new TypeError(canary);
      },
    };
    const found = await find([bad, { name: "worse", ask: () => Promise.reject(canary) }, good]);
    expect(found.failures).toEqual([
      { name: "bad", reason: "an unexpected failure" },
      { name: "worse", reason: "an unexpected failure" },
    ]);
  });

  it("leaves out next time whoever was over a limit", async () => {
    const limits = createLimits();
    const limited: Candidate<string> = {
      name: "limited",
      ask: () =>
        Promise.reject(
          paperErrors.PAPER_SOURCE_LIMITED({ reason: "HTTP 429", retryAfterMs: null }),
        ),
    };
    const turns = {
      whole: { signal: new AbortController().signal, deadlineMs: performance.now() + 1000 },
      maxShareMs: 500,
      limits,
      isEnough: (): boolean => true,
    };
    const first = await findInTurn([limited, good], turns);
    const second = await findInTurn([limited, good], turns);
    expect([first.failures, second.failures]).toEqual([
      [{ name: "limited", reason: "HTTP 429" }],
      [{ name: "limited", reason: "left out, as it was over its limit" }],
    ]);
  });

  it("tells the one that is asked to stop", async () => {
    const reasons: unknown[] = [];
    const polite: Candidate<string> = {
      name: "polite",
      ask: async ({ signal }) => {
        await sleep(3000, undefined, { signal }).catch(() => reasons.push(signal.aborted));
        return "";
      },
    };
    await find([polite], 100);
    await sleep(1);
    expect(reasons).toEqual([true]);
  });

  it("asks nobody once the call is cancelled", async () => {
    const asked: string[] = [];
    const note = (name: string): Candidate<string> => ({
      name,
      ask: async (share) => {
        asked.push(name);
        return await deaf.ask(share);
      },
    });
    const found = find([note("a"), note("b")], 5000, AbortSignal.timeout(30));
    await expect(found).rejects.toMatchObject({ code: "CANCELLED" });
    expect(asked).toEqual(["a"]);
  });
});
