import { stat } from "node:fs/promises";
import { findRealPath } from "@postern/files/real-path";
import type { RealPath } from "../paths/check-paths.js";

/**
 * Follows the links of a path on this machine, as far as there is something.
 *
 * @param path - An absolute path.
 * @returns Where it leads; undefined for a spelling that is not one of a plain path here.
 */
export async function toRealPath(path: string): Promise<RealPath | undefined> {
  if (path.includes("\0")) return undefined;
  const real = await findRealPath(path);
  const stats = await stat(real).catch(() => undefined);
  return { path: toSlashes(real), isDirectory: stats?.isDirectory() ?? false };
}

function toSlashes(path: string): string {
  return process.platform === "win32" ? path.replaceAll("\\", "/") : path;
}
