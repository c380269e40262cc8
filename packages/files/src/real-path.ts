import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileErrors } from "./errors.js";
import { toReason } from "./to-reason.js";

/** As many as Linux follows. */
const maxLinks = 40;

/**
 * Finds the file that a path means, through symbolic links, also when it does not exist yet.
 *
 * @throws What the file system says: `ENOENT` when its folder is missing, `ELOOP` for links in a circle.
 */
export function findRealPath(path: string): string {
  let current = resolve(path);
  for (let links = 0; links < maxLinks; links += 1) {
    const folder = realpathSync.native(dirname(current));
    current = join(folder, basename(current));
    const stats = lstatSync(current, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink() !== true) return current;
    current = resolve(folder, readlinkSync(current));
  }
  throw Object.assign(new RangeError("too many symbolic links"), { code: "ELOOP" });
}

/**
 * As {@link findRealPath}, for what is to be written.
 *
 * @throws {PosternError} `FILE_UNWRITABLE`.
 */
export function findWritablePath(path: string): string {
  try {
    return findRealPath(path);
  } catch (error) {
    throw fileErrors.FILE_UNWRITABLE({ path, reason: toReason(error) }, { cause: error });
  }
}
