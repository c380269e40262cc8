import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileErrors } from "./errors.js";
import { toWriteError } from "./to-file-error.js";

/** As many as Linux follows. */
const maxLinks = 40;

function followLinks(path: string): string | undefined {
  let current = resolve(path);
  for (let links = 0; links < maxLinks; links += 1) {
    const folder = realpathSync.native(dirname(current));
    current = join(folder, basename(current));
    const stats = lstatSync(current, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink() !== true) return current;
    current = resolve(folder, readlinkSync(current));
  }
  return undefined;
}

/**
 * Finds the file that a path means, through symbolic links, also when it does not exist yet.
 *
 * @throws {PosternError} `FILE_UNWRITABLE` when its folder is missing, or links lead in a circle.
 */
export function findWritablePath(path: string): string {
  let real;
  try {
    real = followLinks(path);
  } catch (error) {
    throw toWriteError(path, error);
  }
  if (real !== undefined) return real;
  throw fileErrors.FILE_UNWRITABLE({ path, reason: "its symbolic links lead in a circle" });
}
