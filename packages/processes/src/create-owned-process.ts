import type { ChildProcess } from "node:child_process";
import { Writable } from "node:stream";
import { readCommandLine } from "./command-line.js";
import type { ChildOutput } from "./create-output.js";
import { byMarker } from "./marker.js";
import type {
  OwnedProcess,
  ProcessExit,
  ProcessMember,
  SpawnOptions,
  StopOptions,
} from "./owned-process.js";
import { posixSystem } from "./process-system.js";
import { createProcessTree } from "./process-tree.js";
import type { ProcessRow } from "./process-table.js";
import { stopTree, type StopTarget } from "./stop-tree.js";
import { watchGroup } from "./watchdog.js";
import { watchRemains } from "./watch-remains.js";
import { createWindowsTree } from "./windows-tree.js";

/** A child that has a process id. */
export type SpawnedChild = ChildProcess & { readonly pid: number };

/** Stands for the input of a child that has none: it ended. */
function createEndedInput(): Writable {
  return new Writable().end();
}

async function toMember({ pid }: ProcessRow): Promise<ProcessMember> {
  return { pid, command: await readCommandLine(pid) };
}

/** What ends a tree, once for all who ask. */
function createEnding(
  target: Omit<StopTarget, "hurry">,
  release: () => Promise<void>,
): Pick<OwnedProcess, "stop" | "kill"> {
  const impatience = new AbortController();
  let ending: Promise<void> | undefined;
  const end = async (patience: StopOptions): Promise<void> => {
    await stopTree({ ...target, hurry: impatience.signal }, patience);
    await release();
  };
  const stop = (patience: StopOptions = {}): Promise<void> => {
    ending ??= end(patience).catch((error: unknown) => {
      ending = undefined;
      throw error;
    });
    return ending;
  };
  return {
    stop,
    kill: () => {
      impatience.abort();
      return stop();
    },
  };
}

/** Takes charge of a child. To be called in the same turn that started it, or its end may be missed. */
export function createOwnedProcess(
  child: SpawnedChild,
  options: SpawnOptions,
  { release, ...output }: ChildOutput,
): OwnedProcess {
  const { pid } = child;
  const stdin = child.stdin ?? createEndedInput();
  const isWindows = process.platform === "win32";
  const forgetGroup = isWindows ? () => undefined : watchGroup(pid);
  // A pipe whose other end is gone is no failure of the host.
  for (const source of [child, stdin]) source.on("error", () => undefined);

  let hasExited = false;
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once("exit", (code, signal) => {
      hasExited = true;
      resolve({ code, signal });
    });
  });
  const tree = isWindows
    ? createWindowsTree(pid, () => hasExited)
    : createProcessTree(pid, posixSystem, byMarker(options));
  void exited.then(() => watchRemains(tree, pid, forgetGroup));

  const ending = createEnding(
    { tree, system: posixSystem, endInput: () => stdin.end(), hasExited: () => hasExited },
    async () => {
      await exited;
      forgetGroup();
      stdin.destroy();
      release();
    },
  );
  return Object.freeze({
    pid,
    stdin,
    ...output,
    exited,
    findMembers: async () => Promise.all((await tree.findMembers()).map(toMember)),
    ...ending,
    [Symbol.asyncDispose]: () => ending.stop(),
  });
}
