import { spawn } from "node:child_process";
import { isPosternError } from "@postern/errors";
import { createOwnedProcess, type SpawnedChild } from "./create-owned-process.js";
import { processErrors } from "./errors.js";
import type { OwnedProcess, SpawnOptions } from "./owned-process.js";
import { createOutput } from "./create-output.js";
import { closeAll, deleteFolder, openOutputPipes, type OutputPipes } from "./output-pipes.js";
import { isFile, toSpawnError } from "./spawn-failure.js";
import { announceStart, withdrawStart } from "./watchdog.js";
import { toWindowsTarget, type SpawnTarget } from "./windows-command.js";

function toTarget(options: SpawnOptions): SpawnTarget {
  const { command, args = [], env, cwd = "." } = options;
  if (process.platform !== "win32") return { file: command, args, verbatim: false };
  const target = toWindowsTarget({ command, args, env, cwd, isFile });
  if (target === "unsafe")
    throw processErrors.SPAWN_FAILED({
      command,
      reason: "it is a script that cmd.exe runs, and an argument holds a line break",
    });
  return target ?? { file: command, args, verbatim: false };
}

function start(options: SpawnOptions, pipes: OutputPipes | undefined): ReturnType<typeof spawn> {
  const { file, args, verbatim } = toTarget(options);
  const [out, err] = pipes?.writable ?? (["pipe", "pipe"] as const);
  return spawn(file, args, {
    env: { ...options.env },
    cwd: options.cwd,
    // A session and group of its own: one signal reaches all of it, and the host's terminal none of it.
    detached: process.platform !== "win32",
    windowsHide: true,
    windowsVerbatimArguments: verbatim || options.windowsVerbatimArguments === true,
    stdio: [options.stdin === "none" ? "ignore" : "pipe", out, err],
  });
}

/**
 * Starts a program as a tree that is stopped as a whole and that does not outlive this process.
 *
 * On Linux and macOS a small `sh`, one for all, ends what is left when this process dies, however it dies.
 *
 * @returns The running process. Stop it, or bind it with `await using`.
 * @throws {PosternError} `COMMAND_NOT_FOUND`, with the PATH that was searched; `CWD_MISSING`; `SPAWN_FAILED`.
 */
export async function spawnProcess(options: SpawnOptions): Promise<OwnedProcess> {
  const pipes = options.onOutput === undefined ? undefined : await openOutputPipes();
  try {
    return await startOwned(options, pipes);
  } catch (error) {
    if (pipes !== undefined) await closeAll(pipes.readable);
    throw error;
  } finally {
    if (pipes !== undefined) {
      await closeAll(pipes.writable);
      await deleteFolder(pipes.folder);
    }
  }
}

async function startOwned(
  options: SpawnOptions,
  pipes: OutputPipes | undefined,
): Promise<OwnedProcess> {
  announceStart(pipes?.folder);
  let child;
  try {
    child = start(options, pipes);
  } catch (error) {
    withdrawStart();
    throw isPosternError(error) ? error : toSpawnError(options, error);
  }
  if (child.pid !== undefined) {
    const output = createOutput(child, options, pipes);
    return createOwnedProcess(child as SpawnedChild, options, output);
  }
  withdrawStart();
  const failed = child;
  throw toSpawnError(options, await new Promise((resolve) => failed.once("error", resolve)));
}
