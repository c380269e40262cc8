import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { access, lstat, mkdir, open, rename, rm, type FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isPosternError } from "@postern/errors";
import { bundledErrors } from "../errors.js";
import type { Place } from "./place.js";
import type { RootFolder } from "./root-folder.js";
import { toFileError } from "./to-file-error.js";

/** A file that may be written: its folder is held open, so that what is checked is where it lands. */
export interface WritePlace extends AsyncDisposable {
  /** Where it really lies, links followed: a link is written through, and stays a link. */
  readonly realPath: string;
  /** What is there now; undefined for a file that is to be made. */
  readonly existing: Stats | undefined;
  /**
   * Reads what is there now.
   *
   * @param maxBytes - At most so many bytes.
   * @throws {PosternError} `PATH_NOT_FOUND` when nothing is.
   */
  readExisting(maxBytes: number): Promise<Buffer>;
  /** Reads what stands under the final name by now, whoever put it there; undefined for nothing. */
  readCurrent(maxBytes: number): Promise<Buffer | undefined>;
  /** Begins the new content, in a file beside it that nobody else sees under the final name. */
  createDraft(): Promise<Draft>;
}

/** New content that is not yet in its place. */
export interface Draft {
  /** Where the content is written. */
  readonly file: FileHandle;
  /**
   * Puts it in its place, whole and on the disk.
   *
   * @param assertUnchanged - Called last, right before: throws to leave everything as it was.
   */
  commit(assertUnchanged?: () => Promise<void>): Promise<void>;
  /** Leaves nothing of it; after a commit it does nothing. */
  discard(): Promise<void>;
}

const readFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
const draftFlags =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** Others replace a file as we do: what was opened may be the old one, which has no name any more. */
const maxTries = 5;

/**
 * Opens a path for writing, if what would be written really lies in the root folder. Missing folders on the way are
 * made.
 *
 * @param root - The containment.
 * @param path - The path as the caller gave it.
 * @returns The place; the caller disposes it.
 * @throws {PosternError} `PATH_OUTSIDE_ROOT`, `NOT_A_FILE`, `PERMISSION_DENIED`, `PATH_CHANGED`, `WRITE_FAILED`, …
 */
export async function openForWriting(root: RootFolder, path: string): Promise<WritePlace> {
  for (let tries = 1; ; tries += 1) {
    try {
      const found = await openExisting(root, path);
      return found === undefined
        ? await openMissing(root, path)
        : await openBeside(root, found, path);
    } catch (error) {
      const isMoved = isPosternError(error, bundledErrors) && error.code === "PATH_CHANGED";
      if (!isMoved || tries === maxTries) throw error;
    }
  }
}

async function openBeside(root: RootFolder, existing: Place, path: string): Promise<WritePlace> {
  let folder: Place | undefined;
  try {
    folder = await root.openBelow(dirname(existing.realPath));
    const name = basename(existing.realPath);
    // The kernel names a file without a name "NAME (deleted)", and that would be made.
    const { dev, ino } = await lstat(join(folder.door, name)).catch(() => noStats);
    if (dev !== existing.stats.dev || ino !== existing.stats.ino)
      throw bundledErrors.PATH_CHANGED({ path });
    // A rename asks for no right to the file that it replaces; whoever made a file read-only meant it.
    await access(existing.door, constants.W_OK);
    return createWritePlace({ folder, name, path, existing });
  } catch (error) {
    await folder?.[Symbol.asyncDispose]();
    await existing[Symbol.asyncDispose]();
    throw toWriteError(error, path);
  }
}

const noStats = { dev: -1, ino: -1 };

async function openMissing(root: RootFolder, path: string): Promise<WritePlace> {
  const target = await root.resolve(path);
  const folder = await openFolder(root, target, path);
  try {
    const name = basename(target);
    const entry = await lstat(join(folder.door, name)).catch(() => undefined);
    // A link that leads nowhere: what it leads to might be made outside, at any moment.
    if (entry?.isSymbolicLink() === true)
      throw bundledErrors.NOT_A_FILE({ path, found: "a link that leads nowhere" });
    if (entry !== undefined) throw bundledErrors.PATH_CHANGED({ path });
    return createWritePlace({ folder, name, path });
  } catch (error) {
    await folder[Symbol.asyncDispose]();
    throw error;
  }
}

async function openExisting(root: RootFolder, path: string): Promise<Place | undefined> {
  const place = await root.openPlace(path).catch((error: unknown) => {
    if (isPosternError(error, bundledErrors) && error.code === "PATH_NOT_FOUND") return undefined;
    throw error;
  });
  if (place === undefined || place.stats.isFile()) return place;
  await place[Symbol.asyncDispose]();
  const found = place.stats.isDirectory() ? "a directory" : "a pipe, a socket or a device";
  throw bundledErrors.NOT_A_FILE({ path, found });
}

/** Opens the folder of a target, made if it is missing; each one is made inside the opened one above. */
async function openFolder(root: RootFolder, target: string, path: string): Promise<Place> {
  const missing: string[] = [];
  let above = dirname(target);
  let place: Place | undefined;
  while (place === undefined) {
    place = await openExistingFolder(root, { directory: above, target, path });
    if (place !== undefined) break;
    missing.push(basename(above));
    const next = dirname(above);
    if (next === above) throw bundledErrors.PATH_NOT_FOUND({ path });
    above = next;
  }
  for (const name of missing.toReversed()) {
    await using upper: Place = place;
    await mkdir(join(upper.door, name)).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw toWriteError(error, path);
    });
    await upper.confirm();
    await syncFolder(upper.door);
    place = await root.openBelow(join(upper.realPath, name)).catch((error: unknown) => {
      throw toFileError(error, path);
    });
  }
  return place;
}

interface WantedFolder {
  readonly directory: string;
  /** The file that is to be made below it. */
  readonly target: string;
  /** As the caller gave it. */
  readonly path: string;
}

async function openExistingFolder(
  root: RootFolder,
  { directory, target, path }: WantedFolder,
): Promise<Place | undefined> {
  const place = await root.openAbove(directory, target).catch((error: unknown) => {
    if (!isPosternError(error, bundledErrors)) throw error;
    if (error.code === "PATH_NOT_FOUND") return undefined;
    // Named as the caller named it, not as the folder above it.
    if (error.code === "PATH_OUTSIDE_ROOT") throw bundledErrors.PATH_OUTSIDE_ROOT({ path });
    throw error;
  });
  if (place === undefined || place.stats.isDirectory()) return place;
  await place[Symbol.asyncDispose]();
  throw bundledErrors.NOT_A_DIRECTORY({ path: directory === path ? path : dirname(path) });
}

interface Parts {
  readonly folder: Place;
  readonly name: string;
  /** As the caller gave it. */
  readonly path: string;
  readonly existing?: Place;
}

function createWritePlace({ folder, name, path, existing }: Parts): WritePlace {
  return {
    realPath: join(folder.realPath, name),
    existing: existing?.stats,
    async readExisting(maxBytes) {
      if (existing === undefined) throw bundledErrors.PATH_NOT_FOUND({ path });
      const file = await existing.openContent();
      try {
        return await readBytes(file, maxBytes);
      } finally {
        await file.close();
      }
    },
    async readCurrent(maxBytes) {
      const file = await open(join(folder.door, name), readFlags).catch(() => undefined);
      if (file === undefined) return undefined;
      try {
        return await readBytes(file, maxBytes);
      } finally {
        await file.close();
      }
    },
    createDraft: () => createDraft({ folder, name, path, ...(existing ? { existing } : {}) }),
    async [Symbol.asyncDispose]() {
      await existing?.[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function readBytes(file: FileHandle, maxBytes: number): Promise<Buffer> {
  const { size } = await file.stat();
  const buffer = Buffer.allocUnsafe(Math.min(size, maxBytes));
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

async function createDraft({ folder, name, path, existing }: Parts): Promise<Draft> {
  const draft = join(folder.door, toDraftName(name));
  // Set-user-id and set-group-id bits never pass to content that someone else wrote.
  const mode = existing === undefined ? 0o666 : existing.stats.mode & 0o777;
  const file = await open(draft, draftFlags, existing === undefined ? mode : mode & 0o600).catch(
    (error: unknown) => {
      throw toWriteError(error, path);
    },
  );
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await file.close();
    isOpen = false;
  };
  const discard = async (): Promise<void> => {
    await close().catch(() => undefined);
    await rm(draft, { force: true });
  };
  // Where the folder is only known by its path it may have been another one just now: not a byte goes there.
  await folder.confirm().catch(async (error: unknown) => {
    await discard();
    throw toFileError(error, path);
  });
  return {
    file,
    discard,
    async commit(assertUnchanged) {
      try {
        if (existing !== undefined) await adoptAccess(file, existing.stats, mode);
        await file.sync();
        await close();
        await folder.confirm();
        await assertUnchanged?.();
        await rename(draft, join(folder.door, name));
        await syncFolder(folder.door);
      } catch (error) {
        await discard();
        throw toWriteError(error, path);
      }
    },
  };
}

/** Hidden, and unlike any other; cut, since a name may be as long as the system allows already. */
function toDraftName(name: string): string {
  return `.${name.slice(0, 60)}.${randomBytes(6).toString("hex")}.tmp`;
}

/** Owner and mode of the old file, as far as this user may give them. */
async function adoptAccess(file: FileHandle, old: Stats, mode: number): Promise<void> {
  const fresh = await file.stat();
  if (fresh.uid !== old.uid || fresh.gid !== old.gid)
    await file
      .chown(old.uid, old.gid)
      // Only root gives files away; the group is free to choose among one's own.
      .catch(() => file.chown(fresh.uid, old.gid))
      .catch(() => undefined);
  const { gid } = await file.stat();
  // What the old group might do is not given to another.
  await file.chmod(gid === old.gid ? mode : mode & ~0o070);
}

/** Waits until the folder's entry is on the disk. Some file systems refuse that; the content is safe by then. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r").catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

function toWriteError(error: unknown, path: string): Error {
  if (isPosternError(error)) return toFileError(error, path);
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (["EACCES", "EPERM", "ENAMETOOLONG", "ELOOP", "ENOENT", "ENOTDIR"].includes(code))
    return toFileError(error, path);
  return bundledErrors.WRITE_FAILED({ path, reason: code || "unknown reason" }, { cause: error });
}
