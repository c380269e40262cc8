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
/** Zombies that nobody waits for keep a group's number in use, so now and then the table is read. */
const tableIntervalMs = 250;

interface Wait {
  readonly limitMs: number;
  readonly signal: AbortSignal;
  /** Ends the wait early. */
  readonly isOver?: () => boolean;
}

/** Waits until the tree is gone; resolves to whether it is. */
async function waitUntilGone(target: StopTarget, wait: Wait): Promise<boolean> {
  const { tree, system } = target;
  const start = system.now();
  let lastTable = start;
  for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, 32)) {
    if (!tree.hasGroup() || system.now() - lastTable >= tableIntervalMs) {
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
  const eof = { limitMs: options.eofGraceMs ?? 1_000, signal: hurry, isOver: target.hasExited };
  if (await waitUntilGone(target, eof)) return;
  if (!hurry.aborted) {
    await tree.terminate();
    const term = { limitMs: options.termGraceMs ?? 1_000, signal: hurry };
    if (await waitUntilGone(target, term)) return;
  }
  const end = target.system.now() + killPatienceMs;
  const { signal } = new AbortController();
  do {
    await tree.kill();
    if (await waitUntilGone(target, { limitMs: 200, signal })) return;
  } while (target.system.now() < end);
  throw processErrors.STOP_FAILED({ pids: (await tree.findMembers()).map((row) => row.pid) });
}
