import type { ChildProcessByStdio } from "node:child_process";
import type { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import type { OwnedProcess, ProcessExit, SpawnOptions, StopOptions } from "./owned-process.js";
import { posixSystem } from "./process-system.js";
import { createProcessTree, type ProcessTree } from "./process-tree.js";
import { stopTree } from "./stop-tree.js";
import { createTailBuffer } from "./tail-buffer.js";
import { watchGroup } from "./watchdog.js";
import { createWindowsTree } from "./windows-tree.js";

/** A child with three pipes that has a process id. */
export type SpawnedChild = ChildProcessByStdio<Writable, Readable, Readable> & {
  readonly pid: number;
};

/** How often a group without its leader is looked at. */
const remainsIntervalMs = 500;

/** Looks for what an ended leader left behind, until its group's number may become someone else's. */
function watchRemains(tree: ProcessTree, release: () => void): void {
  const look = async (): Promise<void> => {
    if (!tree.hasGroup()) await tree.findMembers();
    if (tree.ownsNumber()) setTimeout(() => void look(), remainsIntervalMs).unref();
    else release();
  };
  void tree.findMembers().then(look);
}

/** Lets an escaped process that still holds our pipes keep neither them nor the host. */
function releaseStreams(child: SpawnedChild): void {
  child.stdin.destroy();
  for (const stream of [child.stdout, child.stderr]) (stream as unknown as Socket).unref();
}

/** Takes charge of a child. To be called in the same turn that started it, or its end may be missed. */
export function createOwnedProcess(
  child: SpawnedChild,
  { stderrBytes = 65_536 }: Pick<SpawnOptions, "stderrBytes">,
): OwnedProcess {
  const { pid, stdin, stdout, stderr } = child;
  const isWindows = process.platform === "win32";
  const forgetGroup = isWindows ? () => undefined : watchGroup(pid);
  const tail = createTailBuffer(stderrBytes);
  stderr.on("data", (chunk: Uint8Array) => tail.push(chunk));
  // A pipe whose other end is gone is no failure of the host.
  for (const source of [child, stdin, stdout, stderr]) source.on("error", () => undefined);

  let hasExited = false;
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once("exit", (code, signal) => {
      hasExited = true;
      resolve({ code, signal });
    });
  });
  const tree = isWindows
    ? createWindowsTree(pid, () => hasExited)
    : createProcessTree(pid, posixSystem);
  void exited.then(() => watchRemains(tree, forgetGroup));

  const impatience = new AbortController();
  const target = {
    tree,
    system: posixSystem,
    endInput: () => stdin.end(),
    hasExited: () => hasExited,
    hurry: impatience.signal,
  };
  const end = async (options: StopOptions): Promise<void> => {
    await stopTree(target, options);
    await exited;
    forgetGroup();
    releaseStreams(child);
  };
  let ending: Promise<void> | undefined;
  const stop = (options: StopOptions = {}): Promise<void> => {
    ending ??= end(options).catch((error: unknown) => {
      ending = undefined;
      throw error;
    });
    return ending;
  };
  return Object.freeze({
    pid,
    stdin,
    stdout,
    stderrTail: () => tail.text(),
    exited,
    stop,
    kill: () => {
      impatience.abort();
      return stop();
    },
    [Symbol.asyncDispose]: () => stop(),
  });
}
