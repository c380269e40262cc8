import { accessSync, constants, statSync, type Stats } from "node:fs";
import { delimiter, resolve } from "node:path";
import { type PosternError } from "@postern/errors";
import { processErrors } from "./errors.js";
import type { SpawnOptions } from "./owned-process.js";

function findStats(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Whether there is a file at the path. */
export function isFile(path: string): boolean {
  return findStats(path)?.isFile() ?? false;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
}

/** What execvp(3) searches when there is no PATH. */
const systemPath = "/bin:/usr/bin";

/** The variable's value, whatever its case on Windows. */
function findPath(env: Readonly<Record<string, string>>): string {
  const names = Object.keys(env);
  const name =
    process.platform === "win32" ? names.find((key) => key.toUpperCase() === "PATH") : "PATH";
  return env[name ?? "PATH"] ?? (process.platform === "win32" ? "" : systemPath);
}

/** Says why a program could not be started: the system has one code, ENOENT, for three different causes. */
export function toSpawnError(options: SpawnOptions, cause: unknown): PosternError {
  const { command, cwd, env } = options;
  const code = (cause as NodeJS.ErrnoException).code;
  const failed = (reason: string): PosternError =>
    processErrors.SPAWN_FAILED({ command, reason }, { cause });
  if (cwd !== undefined && findStats(cwd)?.isDirectory() !== true)
    return processErrors.CWD_MISSING({ cwd }, { cause });
  if (code === "EACCES") return failed("it is not an executable file, or may not be run (EACCES)");
  if (code === "E2BIG") return failed("its arguments and environment are too long (E2BIG)");
  if (code !== "ENOENT" && code !== "ENOTDIR") return failed(code ?? "the system refused it");
  const isPath = /[\\/]/.test(command);
  const path = findPath(env);
  const base = cwd ?? ".";
  const candidates = isPath
    ? [resolve(base, command)]
    : path.split(delimiter).map((folder) => resolve(base, folder, command));
  if (candidates.some(isExecutable))
    return failed("the file exists, but not the interpreter that its first line names");
  return processErrors.COMMAND_NOT_FOUND({ command, path: isPath ? undefined : path }, { cause });
}
