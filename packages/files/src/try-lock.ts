import {
  createLockDraft,
  createLockFile,
  deleteLockDraft,
  deleteLockFile,
  readHolderLiveness,
  readLockFile,
  replaceLockFile,
  toClaim,
  type LockDraft,
  type LockFile,
} from "./lock-file.js";

/** One who waits for a lock. */
export interface Contender {
  /** Puts the own lock file in its place. */
  tryLock(): Promise<Attempt>;
  /** Gives the lock back, or ends the waiting. */
  release(): void;
}

/** What one look at a lock brought. */
export type Attempt = { readonly held: true } | { readonly held: false; readonly holder: string };

/** A text that is no lock of ours, and stays as it is, was cut short by a crash of the machine. */
const brokenAfterMs = 2_000;

function toHolder({ owner }: LockFile, liveness: string): string {
  if (owner === undefined) return "nobody known (its text is not a lock's)";
  if (liveness === "unknown") return `process ${owner.pid} of another machine or container`;
  return owner.pid === process.pid ? "this process" : `process ${owner.pid}`;
}

/**
 * Takes part in the contest for one lock.
 *
 * A lock file appears complete (`link`), and its text is never used twice. A lock whose holder ended is replaced
 * only by whoever holds the claim on exactly that text, a lock of the same kind, and who sees the text still there.
 * So of many who find the same old lock one replaces it; one who comes late holds a claim on a text that is gone for
 * ever, and replaces nothing. Deleting the old lock instead, as is often done, lets a late one delete the new lock.
 *
 * @param now - A clock that only goes forward, in milliseconds.
 */
export async function createContender(
  lock: string,
  now = (): number => performance.now(),
): Promise<Contender> {
  const draft = await createLockDraft(lock);
  let broken: { readonly id: string; readonly sinceMs: number } | undefined;
  let isHeld = false;

  const isLeftBehind = (current: LockFile, liveness: string): boolean => {
    if (current.owner !== undefined) return liveness === "ended";
    const nowMs = now();
    if (broken?.id !== current.id) broken = { id: current.id, sinceMs: nowMs };
    return nowMs - broken.sinceMs >= brokenAfterMs;
  };

  return {
    async tryLock() {
      isHeld = createLockFile(draft, lock);
      if (isHeld) return { held: true };
      const current = readLockFile(lock);
      if (current === undefined) return { held: false, holder: "another process" };
      const liveness = await readHolderLiveness(current);
      if (!isLeftBehind(current, liveness))
        return { held: false, holder: toHolder(current, liveness) };
      isHeld = await takeOver(lock, current, draft);
      return isHeld ? { held: true } : { held: false, holder: "another process" };
    },
    release() {
      if (isHeld) deleteLockFile(lock, draft.id);
      isHeld = false;
      deleteLockDraft(draft);
    },
  };
}

async function takeOver(lock: string, old: LockFile, draft: LockDraft): Promise<boolean> {
  const claim = await createContender(toClaim(lock, old.id));
  try {
    if (!(await claim.tryLock()).held) return false;
    if (readLockFile(lock)?.id !== old.id) return false;
    replaceLockFile(draft, lock);
    return true;
  } finally {
    claim.release();
  }
}
