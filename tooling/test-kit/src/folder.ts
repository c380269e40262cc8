import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A temporary folder that goes away when disposed. */
export interface Folder extends AsyncDisposable {
  /** Its real path. */
  readonly path: string;
  /** A path inside it. */
  join(...parts: readonly string[]): string;
}

/** Makes a temporary folder: `await using folder = await openFolder();`. */
export async function openFolder(): Promise<Folder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), "postern-test-")));
  return {
    path,
    join: (...parts) => join(path, ...parts),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
