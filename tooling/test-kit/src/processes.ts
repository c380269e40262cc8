import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Process ids whose command line or environment holds the marker; zombies do not count. Linux only. */
export function findProcesses(marker: string): readonly number[] {
  const found: number[] = [];
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) continue;
    try {
      const state = readFileSync(`/proc/${entry}/stat`, "latin1").replace(/^.*\) /s, "");
      const text =
        readFileSync(`/proc/${entry}/cmdline`, "latin1") +
        readFileSync(`/proc/${entry}/environ`, "latin1");
      if (!state.startsWith("Z") && text.includes(marker)) found.push(Number(entry));
    } catch {
      // It ended while we looked.
    }
  }
  return found;
}

/** Waits until the check holds, looking every 20 ms; resolves to whether it did within the limit. */
export async function waitFor(
  check: () => boolean | Promise<boolean>,
  limitMs = 5_000,
): Promise<boolean> {
  const end = Date.now() + limitMs;
  while (Date.now() < end) {
    if (await check()) return true;
    await sleep(20);
  }
  return check();
}
