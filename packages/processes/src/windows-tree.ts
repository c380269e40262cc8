import { execFile } from "node:child_process";
import type { ProcessRow } from "./process-table.js";
import type { ProcessTree } from "./process-tree.js";

/**
 * The tree of a process on Windows, which knows no groups: `taskkill /T` follows the parents while the leader lives.
 *
 * @param pid - The leader.
 * @param hasExited - Whether it ended.
 */
export function createWindowsTree(pid: number, hasExited: () => boolean): ProcessTree {
  const leader: ProcessRow = { pid, parent: 0, group: pid, session: pid, start: "", ended: false };
  const taskkill = (...flags: readonly string[]): Promise<void> =>
    new Promise((resolve) => {
      // It fails for a process that just ended; whether any is left is asked afterwards.
      execFile("taskkill", ["/PID", String(pid), "/T", ...flags], { windowsHide: true }, () =>
        resolve(),
      );
    });
  return {
    findMembers: async () => (hasExited() ? [] : [leader]),
    hasGroup: () => !hasExited(),
    ownsNumber: () => !hasExited(),
    terminate: () => taskkill(),
    kill: () => taskkill("/F"),
  };
}
