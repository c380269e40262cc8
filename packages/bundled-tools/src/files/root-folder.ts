import { realpath } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { findRealPath } from "@postern/files/real-path";
import { bundledErrors } from "../errors.js";
import { findGrants } from "./grants.js";
import { isDescriptorPathKnown, openByDescriptor } from "./open-by-descriptor.js";
import { openByPath } from "./open-by-path.js";
import { toPath } from "./to-path.js";
import type { OpenPlace, Place } from "./place.js";
import { toFileError } from "./to-file-error.js";

/** The one folder that the file tools may use. */
export interface RootFolder {
  /**
   * Opens what a path of a caller leads to, if it really lies in the folder.
   *
   * @param path - Relative to the folder, or absolute, or a `file:` URL.
   * @throws {PosternError} `PATH_OUTSIDE_ROOT`, `PATH_NOT_FOUND`, `PERMISSION_DENIED`, `INVALID_PATH`, …
   */
  openPlace(path: string): Promise<Place>;
  /**
   * Opens a directory below one that was opened, and only if no link leads there.
   *
   * @param realPath - Where it was seen.
   * @throws {PosternError} `PATH_CHANGED` when it is elsewhere by now.
   */
  openBelow(realPath: string): Promise<Place>;
  /**
   * Opens a folder in which a file is to be made, or a folder above it.
   *
   * @param directory - As `openPlace` takes it.
   * @param target - The absolute path of the file.
   * @throws {PosternError} As `openPlace`; a folder above what was granted may be opened, nothing else be made in it.
   */
  openAbove(directory: string, target: string): Promise<Place>;
  /** The path as an absolute one, links not followed. */
  resolve(path: string): Promise<string>;
}

/**
 * Makes the containment of one folder.
 *
 * The folder itself may be a link; it is resolved at the first use and stays that folder from then on.
 *
 * @param root - The folder.
 * @param openPlace - How places are opened. Default: by descriptor where the system can, else by path.
 * @returns The containment.
 */
export function createRootFolder(
  root: string,
  openPlace: OpenPlace = isDescriptorPathKnown() ? openByDescriptor : openByPath,
): RootFolder {
  let found: string | undefined;
  const readRoot = async (): Promise<string> => {
    found ??= await realpath(root).catch((cause: unknown) => {
      throw bundledErrors.ROOT_FOLDER_UNAVAILABLE({}, { cause });
    });
    return found;
  };
  return {
    resolve: async (path) => resolve(await readRoot(), toPath(path)),
    openPlace: async (path) => {
      const top = await readRoot();
      return openContained({ top, path, isAllowed: (real) => isUsable(top, real) }, openPlace);
    },
    openAbove: async (directory, target) => {
      const top = await readRoot();
      const below = relative(directory, target);
      const isAllowed = (real: string): boolean => isUsable(top, join(real, below));
      return openContained({ top, path: directory, isAllowed }, openPlace);
    },
    openBelow: (realPath) =>
      openPlace(realPath, (real) => {
        if (real !== realPath) throw bundledErrors.PATH_CHANGED({ path: realPath });
      }),
  };
}

interface Wanted {
  /** The real path of the root folder. */
  readonly top: string;
  /** As the caller gave it. */
  readonly path: string;
  /** Whether what really lies there may be used. */
  readonly isAllowed: (realPath: string) => boolean;
}

async function openContained(
  { top, path, isAllowed }: Wanted,
  openPlace: OpenPlace,
): Promise<Place> {
  const parsed = toPath(path);
  // The system would take the part before the NUL, and we would have checked another path than it opens.
  if (parsed.includes("\0"))
    throw bundledErrors.INVALID_PATH({ path, problem: "it holds a NUL character" });
  const target = resolve(top, parsed);
  // Merely looking at a network path makes Windows send the user's credentials to that host.
  if (target.startsWith("\\\\") && !isAllowed(target))
    throw bundledErrors.PATH_OUTSIDE_ROOT({ path });
  const assertInside = (realPath: string): void => {
    if (!isAllowed(realPath)) throw bundledErrors.PATH_OUTSIDE_ROOT({ path });
  };
  try {
    return await openPlace(target, assertInside);
  } catch (error) {
    assertInside(await findRealPath(target));
    throw toFileError(error, path);
  }
}

/** Whether a real path lies in the root folder, or in what was granted to the running call. */
function isUsable(top: string, realPath: string): boolean {
  return isInside(top, realPath) || findGrants().some((granted) => isInside(granted, realPath));
}

/** Tells whether a real path is a real folder, or lies in it. */
function isInside(root: string, realPath: string): boolean {
  return realPath === root || realPath.startsWith(root.endsWith(sep) ? root : root + sep);
}
