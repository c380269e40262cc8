import { existsSync } from "node:fs";
import { createRequire } from "node:module";

/**
 * Finds the binary of ripgrep that came with the package of this platform.
 *
 * @returns Its path; undefined where none came along: its package is optional, and the one that names it then throws
 *   as soon as it is loaded.
 */
export function findRipgrep(): string | undefined {
  try {
    const { rgPath } = createRequire(import.meta.url)("@vscode/ripgrep") as { rgPath: string };
    return existsSync(rgPath) ? rgPath : undefined;
  } catch {
    return undefined;
  }
}
