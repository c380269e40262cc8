import {
  createCallContext,
  defineTool,
  findResultError,
  intercept,
  toolErrors,
  toolSet,
  type CallContext,
} from "@postern/tool";
import { fc } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createCallQuota } from "./call-quota.js";

const asking = defineTool({
  name: "ask_first",
  description: "Asks before it works.",
  input: z.object({}),
  run: async (_, { ask }) =>
    (await ask({ id: "go", to: "owner", message: "Go?", schema: {} })).action,
});
const plain = defineTool({
  name: "work",
  description: "Works.",
  input: z.object({}),
  run: () => "worked",
});

/** A set with two calls per second, and a clock that stands until moved. */
function limited() {
  const time = { now: 0 };
  const quota = createCallQuota({ maxCalls: 2, perMs: 1_000, clock: () => time.now });
  const set = intercept(toolSet([plain, asking]), quota);
  const call = async (name: string, context: CallContext = createCallContext()) => {
    const outcome = await set.call({ name, arguments: {}, context });
    return findResultError(outcome)?.toJSON() ?? "done";
  };
  return { time, call };
}

describe("createCallQuota()", () => {
  it("refuses what is over the quota, and says when to come back", async () => {
    const { time, call } = limited();
    expect([await call("work"), await call("work")]).toEqual(["done", "done"]);
    time.now = 400;
    expect(await call("work")).toEqual({
      error: "QUOTA_REACHED",
      message:
        "This tool may be called 2 times per period. Call it again in 600 ms, or do without it.",
      maxCalls: 2,
      retryAfterMs: 600,
    });
  });

  it("begins anew with the next period", async () => {
    const { time, call } = limited();
    await Promise.all([call("work"), call("work")]);
    time.now = 1_000;
    expect(await call("work")).toBe("done");
  });

  it("counts calls that run at once", async () => {
    const { call } = limited();
    const outcomes = await Promise.all([call("work"), call("work"), call("work")]);
    expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(2);
  });

  it("counts each caller and each tool for itself", async () => {
    const { call } = limited();
    await Promise.all([call("work"), call("work")]);
    const other = createCallContext({ caller: { kind: "remote", id: "other", scopes: [] } });
    expect([await call("work", other), await call("ask_first")]).toEqual(["done", "done"]);
  });

  it("does not count a call that waits for a person's answer", async () => {
    const { call } = limited();
    const waiting = createCallContext({ ask: () => Promise.reject(toolErrors.INPUT_REQUIRED()) });
    for (let round = 0; round < 5; round += 1)
      await expect(call("ask_first", waiting)).rejects.toMatchObject({ code: "INPUT_REQUIRED" });
    expect(await call("ask_first")).toBe("done");
  });

  it("lets at most twice the quota through in any stretch of one period", async () => {
    const waits = fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(waits, async (pauses) => {
        const { time, call } = limited();
        const at: number[] = [];
        for (const pause of pauses) {
          time.now += pause;
          if ((await call("work")) === "done") at.push(time.now);
        }
        for (const start of at)
          expect(at.filter((t) => t >= start && t < start + 1_000).length).toBeLessThanOrEqual(4);
      }),
      { numRuns: 200 },
    );
  });

  it.each(["maxCalls", "perMs"])("refuses a %s that is no limit", (option) => {
    expect(() => createCallQuota({ maxCalls: 1, perMs: 1, [option]: 0 })).toThrow(
      `The option "${option}" must be a whole number, at least 1.`,
    );
  });
});
