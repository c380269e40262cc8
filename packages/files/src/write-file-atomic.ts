import { open, rename, rm, type FileHandle } from "node:fs/promises";
import { lstatSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { fileErrors } from "./errors.js";
import { deleteLeftovers } from "./leftovers.js";
import { findWritablePath } from "./real-path.js";
import { createTemporaryPath } from "./temporary-name.js";
import { toWriteError } from "./to-file-error.js";

/** How to write a file. */
export interface WriteFileOptions {
  /**
   * The mode of a new file, within the umask; default 0o600. An existing file keeps its own, less what `mode`
   * leaves out when it is given: a write never opens a file to more people.
   */
  readonly mode?: number;
  /** Waits until the file and its folder are on the disk; default true. */
  readonly durable?: boolean;
}

const ownerBits = 0o700;
const groupBits = 0o070;

/** Gives the new file the owner and mode of the old one, as far as this user may. */
async function adoptAccess(handle: FileHandle, old: Stats, mode: number): Promise<void> {
  const fresh = await handle.stat();
  let keepsGroup = fresh.gid === old.gid;
  if (fresh.uid !== old.uid || !keepsGroup) {
    keepsGroup ||= await handle.chown(old.uid, old.gid).then(
      () => true,
      () => false,
    );
  }
  // What the old group may do is not given to another.
  const allowed = keepsGroup ? mode : mode & ~groupBits;
  if ((fresh.mode & 0o777) !== allowed) await handle.chmod(allowed);
}

/** Waits for the folder's entry. Some file systems refuse that; the file's own content is safe by then. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(dirname(path), "r").catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

/** Windows refuses for a moment while someone reads the old file. */
async function renameOver(from: string, to: string): Promise<void> {
  const attempts = process.platform === "win32" ? 20 : 1;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      if (attempt >= attempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, 5 * attempt));
    }
  }
}

async function writeAndRename(
  path: string,
  data: string | Uint8Array,
  options: WriteFileOptions,
): Promise<void> {
  const durable = options.durable ?? true;
  const old = lstatSync(path, { throwIfNoEntry: false });
  if (old !== undefined && !old.isFile())
    throw fileErrors.FILE_UNWRITABLE({ path, reason: "it is not a regular file" });
  const mode =
    old === undefined ? (options.mode ?? 0o600) : old.mode & (options.mode ?? 0o777) & 0o777;
  const temporary = await createTemporaryPath(path);
  try {
    const handle = await open(temporary, "wx", old === undefined ? mode : mode & ownerBits);
    try {
      await handle.writeFile(data);
      if (old !== undefined) await adoptAccess(handle, old, mode);
      if (durable) await handle.sync();
    } finally {
      await handle.close();
    }
    await renameOver(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  if (durable) await syncFolder(path);
}

/** As `writeFileAtomic`, for a path that `findWritablePath` gave, and without housekeeping. */
export async function replaceFile(
  path: string,
  data: string | Uint8Array,
  options: WriteFileOptions,
): Promise<void> {
  try {
    await writeAndRename(path, data, options);
  } catch (error) {
    throw toWriteError(path, error);
  }
}

/**
 * Writes a whole file: who reads it meanwhile, or after a crash, finds the old text or the new, never a mixture.
 *
 * Writes through symbolic links. Hard links to the old file, its extended attributes and its access lists are not
 * kept. Two writers at once do not harm the file, but one overwrites the other: see `updateFile`.
 *
 * @throws {PosternError} `FILE_UNWRITABLE`; the file is as it was.
 */
export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: WriteFileOptions = {},
): Promise<void> {
  const real = findWritablePath(path);
  await deleteLeftovers(real);
  await replaceFile(real, data, options);
}
