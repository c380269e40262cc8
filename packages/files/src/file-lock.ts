import { setTimeout as sleep } from "node:timers/promises";
import { fileErrors } from "./errors.js";
import { deleteLeftovers } from "./leftovers.js";
import { findWritablePath } from "./real-path.js";
import { toWriteError } from "./to-file-error.js";
import { createContender, type Contender } from "./try-lock.js";

/** How long to wait for a lock. */
export interface FileLockOptions {
  /** How long to wait for another holder; default 10,000. */
  readonly timeoutMs?: number;
  /** Gives up waiting. Does not stop work that has begun. */
  readonly signal?: AbortSignal;
}

const maxPauseMs = 25;

/** Tasks of this process wait here, in order, so that they do not also contend through the file system. */
const turns = new Map<string, Promise<void>>();

interface Patience {
  readonly lock: string;
  readonly endMs: number;
  readonly signal: AbortSignal | undefined;
}

function assertPatient({ lock, endMs, signal }: Patience, holder: string): void {
  if (signal?.aborted === true) throw fileErrors.LOCK_ABORTED({ lock }, { cause: signal.reason });
  if (performance.now() >= endMs) throw fileErrors.LOCK_TIMEOUT({ lock, holder });
}

/** Waits for the tasks before us. */
async function waitForTurn(before: Promise<void>, patience: Patience): Promise<void> {
  const done = new AbortController();
  const signals = [done.signal, ...(patience.signal === undefined ? [] : [patience.signal])];
  const leftMs = Math.max(0, patience.endMs - performance.now());
  const limit = sleep(leftMs, true, { signal: AbortSignal.any(signals) }).catch(() => true);
  try {
    if (await Promise.race([before, limit]))
      assertPatient(patience, "another task of this process");
  } finally {
    done.abort();
  }
}

async function waitForLock(contender: Contender, patience: Patience): Promise<void> {
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
    const attempt = await contender.tryLock();
    if (attempt.held) return;
    assertPatient(patience, attempt.holder);
    // Uneven pauses, so that two contenders do not always meet.
    await sleep(pauseMs * (0.5 + Math.random()), undefined, { signal: patience.signal }).catch(
      () => undefined,
    );
  }
}

async function createHolder(patience: Patience): Promise<Contender> {
  let contender;
  try {
    contender = await createContender(patience.lock);
    await waitForLock(contender, patience);
    return contender;
  } catch (error) {
    contender?.release();
    throw toWriteError(patience.lock, error);
  }
}

/** As `withFileLock`, for a path that `findWritablePath` gave. */
export async function withRealFileLock<T>(
  path: string,
  work: () => Promise<T>,
  options: FileLockOptions,
): Promise<T> {
  const lock = `${path}.lock`;
  const endMs = performance.now() + (options.timeoutMs ?? 10_000);
  const patience = { lock, endMs, signal: options.signal };
  const before = turns.get(lock);
  let endTurn: (() => void) | undefined;
  const turn = new Promise<void>((resolve) => {
    endTurn = resolve;
  });
  const after = before === undefined ? turn : before.then(() => turn);
  turns.set(lock, after);
  try {
    if (before !== undefined) await waitForTurn(before, patience);
    const holder = await createHolder(patience);
    try {
      await deleteLeftovers(path);
      return await work();
    } finally {
      holder.release();
    }
  } finally {
    endTurn?.();
    if (turns.get(lock) === after) turns.delete(lock);
  }
}

/**
 * Does work that no other task or process does at the same time for the same path.
 *
 * The lock is `PATH.lock` beside the real file, and names its holder by process id and start time: what a killed
 * process left is taken over, also when its id is in use again. It binds only those who ask for it. Not re-entrant:
 * work that asks for the same path waits for itself, and times out.
 *
 * @returns What the work returned.
 * @throws {PosternError} `LOCK_TIMEOUT` with the holder; `LOCK_ABORTED`; `FILE_UNWRITABLE` when no lock file can be
 *   made; whatever the work throws.
 */
export async function withFileLock<T>(
  path: string,
  work: () => Promise<T>,
  options: FileLockOptions = {},
): Promise<T> {
  return withRealFileLock(findWritablePath(path), work, options);
}
