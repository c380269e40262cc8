import { readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readHolderLiveness, readLockFile } from "./lock-file.js";
import { readLiveness } from "./process-identity.js";
import { parseTemporaryName, toTemporaryPrefix } from "./temporary-name.js";

/** Whether its owner runs cannot be known from here, but no write takes that long. */
const foreignAgeMs = 3_600_000;
/** A folder of this many files may be read at every write; beyond, one millisecond of rest for each. */
const freeEntries = 200;
const maxFolders = 1_000;

const restUntilMs = new Map<string, number>();

async function deleteTemporary(file: string): Promise<void> {
  const owner = parseTemporaryName(file);
  if (owner === undefined) return;
  const liveness = await readLiveness(owner);
  if (liveness === "alive") return;
  if (liveness === "unknown" && Date.now() - statSync(file).mtimeMs < foreignAgeMs) return;
  rmSync(file, { force: true });
}

/**
 * Deletes a claim whose maker ended. The lock it was made for must be gone: its text never comes back, so that
 * nobody can act on a claim for it any more.
 */
async function deleteClaim(file: string, lock: string): Promise<void> {
  const [id] = file.slice(lock.length + 1).split(".");
  const claim = readLockFile(file);
  if (claim === undefined || (await readHolderLiveness(claim)) !== "ended") return;
  if (readLockFile(lock)?.id !== id) rmSync(file, { force: true });
}

/** Deletes what processes that were killed left beside a file. Never fails: it is only housekeeping. */
export async function deleteLeftovers(path: string): Promise<void> {
  const folder = dirname(path);
  if (performance.now() < (restUntilMs.get(folder) ?? 0)) return;
  const prefix = toTemporaryPrefix(path);
  const lock = `${path}.lock`;
  const claimPrefix = `${basename(lock)}.`;
  try {
    const names = readdirSync(folder);
    if (restUntilMs.size >= maxFolders) restUntilMs.clear();
    if (names.length > freeEntries) restUntilMs.set(folder, performance.now() + names.length);
    for (const name of names) {
      const file = join(folder, name);
      if (name.startsWith(prefix) && name.endsWith(".tmp")) await deleteTemporary(file);
      else if (
        name.startsWith(claimPrefix) &&
        /^(?:[\da-f]{16}\.?)+$/.test(name.slice(claimPrefix.length))
      )
        await deleteClaim(file, lock);
    }
  } catch {
    // The next writer tries again.
  }
}
