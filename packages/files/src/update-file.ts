import { findWritablePath } from "./real-path.js";
import { readTextFile } from "./read-text-file.js";
import { withRealFileLock, type FileLockOptions } from "./file-lock.js";
import { replaceFile, type WriteFileOptions } from "./write-file-atomic.js";

/** How to change a file. */
export interface UpdateFileOptions extends WriteFileOptions, FileLockOptions {}

/** Gives the new text of a file for its text, undefined when there is no file. Undefined leaves all as it is. */
export type ChangeText = (
  text: string | undefined,
) => string | undefined | Promise<string | undefined>;

/**
 * Changes a text file, so that of two who change it at once, also in two processes, none loses the other's change.
 *
 * Takes the file's lock, reads, changes, and writes atomically, through symbolic links.
 *
 * @param change - Runs once, under the lock: be quick, and do not ask for the same file in it.
 * @throws {PosternError} `LOCK_TIMEOUT`, `LOCK_ABORTED`, `FILE_UNREADABLE`, `FILE_UNWRITABLE`; whatever `change`
 *   throws. The file is as it was.
 */
export async function updateFile(
  path: string,
  change: ChangeText,
  options: UpdateFileOptions = {},
): Promise<void> {
  const real = findWritablePath(path);
  await withRealFileLock(
    real,
    async () => {
      const text = await readTextFile(real);
      const next = await change(text);
      if (next !== undefined && next !== text) await replaceFile(real, next, options);
    },
    options,
  );
}
