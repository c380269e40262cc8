import { mkdir, stat } from "node:fs/promises";
import { fileErrors } from "./errors.js";
import { toReason } from "./to-reason.js";

const othersMayWrite = 0o022;

/**
 * Makes sure that a folder exists in which nobody else can put or change anything.
 *
 * What is missing is created with mode 0700. Nothing that exists is changed. On Windows only its existence is checked:
 * a user's own folders are private there.
 *
 * @throws {PosternError} `NOT_PRIVATE` when it is no folder, when another user owns it (also for root), or when group
 *   or others may write to it. `FILE_UNWRITABLE` when it cannot be created.
 */
export async function ensurePrivateDirectory(path: string): Promise<void> {
  let stats;
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    stats = await stat(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" || code === "ENOTDIR")
      throw fileErrors.NOT_PRIVATE({ path, reason: "it is not a folder" }, { cause: error });
    throw fileErrors.FILE_UNWRITABLE({ path, reason: toReason(error) }, { cause: error });
  }
  const user = process.geteuid?.();
  if (user === undefined) return;
  if (stats.uid !== user)
    throw fileErrors.NOT_PRIVATE({ path, reason: `it belongs to another user (${stats.uid})` });
  if ((stats.mode & othersMayWrite) !== 0) {
    const mode = (stats.mode & 0o777).toString(8);
    throw fileErrors.NOT_PRIVATE({ path, reason: `others can write to it (mode ${mode})` });
  }
}
