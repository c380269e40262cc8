import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import {
  readLiveness,
  readOwnIdentity,
  type Liveness,
  type ProcessIdentity,
} from "./process-identity.js";
import { createTemporaryPath } from "./temporary-name.js";

/** What a lock file says. */
export interface LockFile {
  /** Unique to one holding of the lock, so never seen again once it is gone. */
  readonly id: string;
  /** Undefined for a text that is no lock of ours. */
  readonly owner: ProcessIdentity | undefined;
}

/** A lock file of one's own, complete but not yet in its place. */
export interface LockDraft {
  readonly id: string;
  readonly path: string;
  readonly text: string;
}

const createPrivate = { flag: "wx", mode: 0o600 } as const;
const idPattern = /^[\da-f]{16}$/;

/** Changes with the file, also where its text is the same. */
function toDigest(text: string, { ino, mtimeMs, ctimeMs }: Stats): string {
  const state = `${ino} ${mtimeMs} ${ctimeMs} ${text}`;
  return createHash("sha256").update(state).digest("hex").slice(0, 16);
}

function parseLock(text: string): LockFile | undefined {
  try {
    const { id, pid, start, boot, place } = JSON.parse(text) as Record<string, unknown>;
    if (typeof id !== "string" || !idPattern.test(id) || typeof pid !== "number") return undefined;
    if (!Number.isSafeInteger(pid) || pid <= 0 || typeof start !== "string") return undefined;
    if (typeof boot !== "string" || typeof place !== "string") return undefined;
    return { id, owner: { pid, start, boot, place } };
  } catch {
    return undefined;
  }
}

/**
 * Reads a lock file.
 *
 * @returns Undefined when there is none.
 */
export function readLockFile(path: string): LockFile | undefined {
  let file;
  try {
    // O_NONBLOCK: opening a named pipe would wait for its writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const text = readFileSync(file, "utf8");
    return parseLock(text) ?? { id: toDigest(text, fstatSync(file)), owner: undefined };
  } finally {
    closeSync(file);
  }
}

/** Tells whether the holder of a lock still runs. */
export async function readHolderLiveness(lock: LockFile): Promise<Liveness> {
  return lock.owner === undefined ? "unknown" : readLiveness(lock.owner);
}

/** Writes a lock file of our own beside its place. */
export async function createLockDraft(lock: string): Promise<LockDraft> {
  const id = randomBytes(8).toString("hex");
  const text = `${JSON.stringify({ id, ...(await readOwnIdentity()) })}\n`;
  const path = await createTemporaryPath(lock);
  writeFileSync(path, text, createPrivate);
  return { id, path, text };
}

/** What a file system without hard links answers. */
const withoutLinks = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EACCES"]);

/** Puts a draft in its place, complete at once; false when there is a lock already. */
export function createLockFile(draft: LockDraft, lock: string): boolean {
  try {
    linkSync(draft.path, lock);
    return true;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (!withoutLinks.has(code)) throw error;
  }
  return createInPlace(draft, lock);
}

/** Where there are no hard links: who reads in between finds a text that is no lock, and waits. */
function createInPlace(draft: LockDraft, lock: string): boolean {
  try {
    writeFileSync(lock, draft.text, createPrivate);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Puts a draft in the place of a lock. Only for who holds the claim on that lock. */
export function replaceLockFile(draft: LockDraft, lock: string): void {
  renameSync(draft.path, lock);
}

/** Gives a lock back, unless someone deleted it by hand and it is another's by now. */
export function deleteLockFile(lock: string, id: string): void {
  if (readLockFile(lock)?.id === id) rmSync(lock, { force: true });
}

/** Deletes a draft, wherever it went. */
export function deleteLockDraft({ path }: LockDraft): void {
  rmSync(path, { force: true });
}

/** The lock of those who want to take over a holding that was left behind. */
export function toClaim(lock: string, id: string): string {
  return `${lock}.${id}`;
}
