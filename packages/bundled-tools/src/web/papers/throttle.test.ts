import { describe, expect, it } from "vitest";
import { createThrottle } from "./throttle.js";

const toShare = (ms: number, signal = new AbortController().signal) => ({
  signal,
  deadlineMs: performance.now() + ms,
});

describe("createThrottle()", () => {
  it("lets each wait for its turn", async () => {
    const throttle = createThrottle(40);
    const start = performance.now();
    const turns = [1, 2, 3].map(async () => {
      await throttle.wait(toShare(5000));
      return performance.now() - start;
    });
    const [first = 0, second = 0, third = 0] = await Promise.all(turns);
    // A timer of Node may be a millisecond early.
    expect([first < second, second >= 38, third >= 77]).toEqual([true, true, true]);
  });

  it("says at once that a turn would come too late, and gives it to nobody", async () => {
    const throttle = createThrottle(60);
    await throttle.wait(toShare(5000));
    const start = performance.now();
    await expect(throttle.wait(toShare(20))).rejects.toMatchObject({
      code: "PAPER_SOURCE_FAILED",
      data: { reason: "its turn would come too late" },
    });
    expect(performance.now() - start).toBeLessThan(50);
    await throttle.wait(toShare(5000));
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it("ends when the call is cancelled", async () => {
    const throttle = createThrottle(10_000);
    await throttle.wait(toShare(20_000));
    await expect(throttle.wait(toShare(20_000, AbortSignal.timeout(20)))).rejects.toThrow(/abort/i);
  });
});
