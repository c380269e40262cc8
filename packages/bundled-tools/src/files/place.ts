import type { Dirent, Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";

/** Something in the file system that is held open, so that what was checked is what is used. */
export interface Place extends AsyncDisposable {
  /** Where it really lies: absolute, no links. Found out after it was opened. */
  readonly realPath: string;
  /** What it is. */
  readonly stats: Stats;
  /** The path through which a directory's entries are reached: where the system can, it stays with what was opened. */
  readonly door: string;
  /** Opens its bytes; for regular files only. The caller closes what it gets. */
  openContent(): Promise<FileHandle>;
  /** The entries of a directory, as the system orders them. */
  readEntries(): Promise<Dirent[]>;
  /** What an entry of a directory is, at once; a link is not followed. Undefined when it cannot be looked at. */
  findEntryStats(name: string): Stats | undefined;
  /**
   * Makes sure that what was read came from `realPath`.
   *
   * @throws {PosternError} `PATH_CHANGED` when it may have come from elsewhere.
   */
  confirm(): Promise<void>;
}

/**
 * Opens what lies at an absolute path, of whatever kind, without waiting for anything: a FIFO, a device or a socket
 * is only looked at.
 *
 * @param target - The path; links on it are followed.
 * @param assertInside - Throws for a real path that must not be used.
 */
export type OpenPlace = (
  target: string,
  assertInside: (realPath: string) => void,
) => Promise<Place>;
