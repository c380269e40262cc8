import { processErrors } from "./errors.js";
import type { StopOptions } from "./owned-process.js";
import type { ProcessSystem } from "./process-system.js";
import type { ProcessTree } from "./process-tree.js";

/** A tree to stop, and its surroundings. */
export interface StopTarget {
  readonly tree: ProcessTree;
  readonly system: ProcessSystem;
  /** Closes the leader's standard input. */
  readonly endInput: () => void;
  /** Whether the leader ended and was waited for. */
  readonly hasExited: () => boolean;
  /** Aborted: no more patience. */
  readonly hurry: AbortSignal;
}

const killPatienceMs = 5_000;
/** A group of zombies, which an idle parent may keep for long, looks alive: only the table tells. */
const tableIntervalMs = 250;

interface Wait {
  readonly limitMs: number;
  readonly signal: AbortSignal;
  /** How often the table is read while the group looks alive. */
  readonly tableIntervalMs: number;
  /** Ends the wait early. */
  readonly isOver?: () => boolean;
}

/** Waits until the tree is gone; resolves to whether it is. */
async function waitUntilGone(target: StopTarget, wait: Wait): Promise<boolean> {
  const { tree, system } = target;
  const start = system.now();
  let lastTable = start;
  for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, 32)) {
    if (!tree.hasGroup() || system.now() - lastTable >= wait.tableIntervalMs) {
      lastTable = system.now();
      if ((await tree.findMembers()).length === 0) return true;
    }
    const leftMs = start + wait.limitMs - system.now();
    if (leftMs <= 0 || wait.signal.aborted || wait.isOver?.() === true) return false;
    await system.sleep(Math.min(pauseMs, leftMs), wait.signal);
  }
}

/**
 * Ends a tree: closes its input, then SIGTERM, then SIGKILL.
 *
 * @throws {PosternError} `STOP_FAILED` when a member survives SIGKILL for 5 seconds.
 */
export async function stopTree(target: StopTarget, options: StopOptions): Promise<void> {
  const { tree, hurry } = target;
  // Before anything ends: those that left the group are found by their parents.
  await tree.findMembers();
  target.endInput();
  const patience = { signal: hurry, tableIntervalMs };
  const eofMs = options.eofGraceMs ?? 1_000;
  if (await waitUntilGone(target, { ...patience, limitMs: eofMs, isOver: target.hasExited }))
    return;
  if (!hurry.aborted) {
    await tree.terminate();
    const termMs = options.termGraceMs ?? 1_000;
    if (await waitUntilGone(target, { ...patience, limitMs: termMs })) return;
  }
  await killTree(target);
}

async function killTree(target: StopTarget): Promise<void> {
  const { tree, system } = target;
  const end = system.now() + killPatienceMs;
  const wait = { limitMs: 200, signal: new AbortController().signal, tableIntervalMs: 0 };
  do {
    await tree.kill();
    if (await waitUntilGone(target, wait)) return;
  } while (system.now() < end);
  throw processErrors.STOP_FAILED({ pids: (await tree.findMembers()).map((row) => row.pid) });
}
