import { createHash } from "node:crypto";
import { open, readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { ensurePrivateDirectory, fileErrors } from "@postern/files";
import type { NonceStore } from "./nonce-store.js";

/** Clocks of processes that share the folder may differ by this much. */
const marginMs = 60_000;
const sweepMs = 60_000;

/**
 * Makes a store in a folder, for several processes of one machine: an empty file for each nonce, created by the first
 * who uses it. Of two who try at once, also in two processes, the file system lets one create it. Files of nonces that
 * expired are removed in passing. What was used survives the end of a process, not a power cut in the same moment.
 *
 * @param folder - The folder, for nothing else; created when missing.
 * @returns The store.
 * @throws {PosternError} From `use`: `NOT_PRIVATE` for a folder in which others can write, `FILE_UNWRITABLE`.
 */
export function createFileNonceStore(folder: string): NonceStore {
  let nextSweep = 0;
  return Object.freeze({
    async use(nonce: string, expiresAt: number): Promise<boolean> {
      await ensurePrivateDirectory(folder);
      const now = Date.now();
      if (now >= nextSweep) {
        nextSweep = now + sweepMs;
        await sweep(folder, now);
      }
      return createOnce(join(folder, toName(nonce, expiresAt)));
    },
  });
}

/** By its digest: a nonce is any text, and a file's name is not. */
function toName(nonce: string, expiresAt: number): string {
  const digest = createHash("sha256").update(nonce).digest("hex");
  return `${Math.ceil(expiresAt)}-${digest}`;
}

async function createOnce(path: string): Promise<boolean> {
  try {
    await (await open(path, "wx", 0o600)).close();
    return true;
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? "error";
    if (reason === "EEXIST") return false;
    throw fileErrors.FILE_UNWRITABLE({ path, reason }, { cause });
  }
}

async function sweep(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const expiresAt = /^(\d{1,16})-[\da-f]{64}$/.exec(name)?.[1];
    if (expiresAt === undefined || Number(expiresAt) + marginMs > now) continue;
    // Another process may have been faster.
    await unlink(join(folder, name)).catch(() => undefined);
  }
}
