import { setTimeout as sleep } from "node:timers/promises";
import { readProcessTable, type ProcessRow } from "./process-table.js";

/** What stopping a tree needs of the operating system. */
export interface ProcessSystem {
  readTable(): Promise<readonly ProcessRow[]>;
  /** Signals a process, or for a negative id a group; `0` only asks. False: there is none. */
  signal(target: number, signal: NodeJS.Signals | 0): boolean;
  /** Waits; resolves early, never rejects, when the signal is aborted. */
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
  now(): number;
}

/** The real one. */
export const posixSystem: ProcessSystem = {
  readTable: readProcessTable,
  signal(target, signal) {
    try {
      process.kill(target, signal);
      return true;
    } catch (error) {
      // EPERM: it lives under rights that we lack.
      return (error as NodeJS.ErrnoException).code === "EPERM";
    }
  },
  sleep: (delayMs, signal) => sleep(delayMs, undefined, { signal }).catch(() => undefined),
  now: () => performance.now(),
};
