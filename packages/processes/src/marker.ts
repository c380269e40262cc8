import { readFileSync } from "node:fs";
import { uptime } from "node:os";
import type { SpawnOptions } from "./owned-process.js";
import { parseStatLine, type ProcessRow } from "./process-table.js";

/** What `/proc` counts time in: a hundredth of a second on every system that Node supports. */
const ticksPerSecond = 100;

/**
 * Makes the rule that finds the processes of a program that is about to be, or was just, started by the marker in their
 * environment. Older processes are not looked at.
 *
 * @param options - How it is started.
 * @returns The rule; never true without a marker, or where `/proc` does not tell.
 */
export function byMarker({ marker, env }: SpawnOptions): (row: ProcessRow) => boolean {
  const value = marker === undefined ? undefined : env[marker];
  if (value === undefined || value === "" || process.platform !== "linux") return () => false;
  const entry = Buffer.from(`${marker}=${value}\0`);
  // What was started is in another session than its host and cannot come back. So the host and its kin are never taken
  // for members, whatever their environment holds.
  const ownSession = findOwnSession();
  if (ownSession === undefined) return () => false;
  const earliest = (Math.floor(uptime()) - 1) * ticksPerSecond;
  return (row) =>
    row.session !== ownSession && Number(row.start) >= earliest && hasEntry(row.pid, entry);
}

function findOwnSession(): number | undefined {
  try {
    return parseStatLine(readFileSync("/proc/self/stat", "latin1"))?.session;
  } catch {
    return undefined;
  }
}

function hasEntry(pid: number, entry: Buffer): boolean {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`);
    // An entry begins the text or follows a NUL; so no value that merely ends alike is taken for it.
    for (let at = environment.indexOf(entry); at >= 0; at = environment.indexOf(entry, at + 1))
      if (at === 0 || environment[at - 1] === 0) return true;
  } catch {
    // It ended, or belongs to someone else.
  }
  return false;
}
