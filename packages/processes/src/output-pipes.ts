import { execFile } from "node:child_process";
import { close, constants, open } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Two pipes of the kernel, by descriptor: the ends that a program writes to, and the ends that we read. */
export interface OutputPipes {
  /** Where they can be opened, until `deleteFolder`: `stdout` and `stderr` in it. */
  readonly folder: string;
  /** For the program: standard output, standard error. To be closed once it has them. */
  readonly writable: readonly [number, number];
  /** For us. */
  readonly readable: readonly [number, number];
}

const openFile = promisify(open);
const closeFile = promisify(close);

function createFifos(paths: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = { PATH: "/usr/bin:/bin:/usr/sbin:/sbin" };
    execFile("mkfifo", ["-m", "600", ...paths], { env }, (error) =>
      error === null ? resolve() : reject(error),
    );
  });
}

async function openBothEnds(path: string, opened: number[]): Promise<void> {
  // First the end that does not wait for the other one.
  opened.push(await openFile(path, constants.O_RDONLY | constants.O_NONBLOCK));
  opened.push(await openFile(path, constants.O_WRONLY));
}

/**
 * Opens pipes for a program's output. Node itself would give it sockets, which nobody can open again by name, so that
 * `echo >/dev/stderr` fails; and would take new memory for every piece that is read.
 *
 * @returns Undefined where that cannot be done: on Windows, without `mkfifo`, without a folder for temporary files.
 */
export async function openOutputPipes(): Promise<OutputPipes | undefined> {
  if (process.platform === "win32") return undefined;
  // A line break would end the watchdog's line.
  if (tmpdir().includes("\n")) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "postern-pipes-")).catch(() => undefined);
  if (folder === undefined) return undefined;
  const opened: number[] = [];
  try {
    const paths = [join(folder, "stdout"), join(folder, "stderr")] as const;
    await createFifos(paths);
    for (const path of paths) await openBothEnds(path, opened);
    const [out = -1, outEnd = -1, err = -1, errEnd = -1] = opened;
    return { folder, readable: [out, err], writable: [outEnd, errEnd] };
  } catch {
    await closeAll(opened);
    await deleteFolder(folder);
    return undefined;
  }
}

/** Deletes the folder of pipes; who has them open keeps them. */
export async function deleteFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
}

/** Closes descriptors. */
export async function closeAll(descriptors: readonly number[]): Promise<void> {
  await Promise.all(descriptors.map((descriptor) => closeFile(descriptor)));
}
