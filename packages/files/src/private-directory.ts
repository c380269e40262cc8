import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { fileErrors } from "./errors.js";
import { toWriteError } from "./to-file-error.js";

const othersMayWrite = 0o022;

/** Creates a folder and what is missing above. Node's own way to do so hangs below /proc. */
async function createFolder(path: string): Promise<void> {
  try {
    await createOne(path);
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || parent === path) throw error;
    await createFolder(parent);
    await createOne(path);
  }
}

async function createOne(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  });
}

/**
 * Makes sure that a folder exists in which nobody else can put or change anything.
 *
 * What is missing is created with mode 0700. Nothing that exists is changed. On Windows only its existence is checked:
 * a user's own folders are private there.
 *
 * @throws {PosternError} `NOT_PRIVATE` when it is a file, when another user owns it (also for root), or when group
 *   or others may write to it. `FILE_UNWRITABLE` when it cannot be created.
 */
export async function ensurePrivateDirectory(path: string): Promise<void> {
  let stats;
  try {
    await createFolder(path);
    stats = await stat(path);
  } catch (error) {
    throw toWriteError(path, error);
  }
  if (!stats.isDirectory()) throw fileErrors.NOT_PRIVATE({ path, reason: "it is not a folder" });
  const user = process.geteuid?.();
  if (user === undefined) return;
  if (stats.uid !== user)
    throw fileErrors.NOT_PRIVATE({ path, reason: `it belongs to another user (${stats.uid})` });
  if ((stats.mode & othersMayWrite) !== 0) {
    const mode = (stats.mode & 0o777).toString(8);
    throw fileErrors.NOT_PRIVATE({ path, reason: `others can write to it (mode ${mode})` });
  }
}
