import { setTimeout as sleep } from "node:timers/promises";
import { paperErrors } from "./errors.js";
import type { Share } from "./share.js";

/** Keeps the requests to one source as far apart as it asks for. */
export interface Throttle {
  /**
   * Waits for a turn.
   *
   * @throws {PosternError} `PAPER_SOURCE_FAILED` at once, when the turn would come after the deadline.
   */
  wait(share: Share): Promise<void>;
}

/**
 * Makes a throttle. Whoever waits holds nobody up who asks another source.
 *
 * @param intervalMs - The least time between two requests.
 */
export function createThrottle(intervalMs: number): Throttle {
  let nextMs = 0;
  return {
    async wait({ signal, deadlineMs }) {
      const now = performance.now();
      const turnMs = Math.max(now, nextMs);
      if (turnMs >= deadlineMs)
        throw paperErrors.PAPER_SOURCE_FAILED({ reason: "its turn would come too late" });
      nextMs = turnMs + intervalMs;
      if (turnMs > now) await sleep(Math.ceil(turnMs - now), undefined, { signal });
    },
  };
}
