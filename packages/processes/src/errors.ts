import { defineErrors } from "@postern/errors";

/** The errors of this package, by code. */
export const processErrors = defineErrors({
  COMMAND_NOT_FOUND: ({ command, path }: { command: string; path: string | undefined }) =>
    path === undefined
      ? `There is no program at ${JSON.stringify(command)}. Check the path, or install the program.`
      : `${JSON.stringify(command)} was not found. PATH was searched: ${path || "(empty)"}. Install it, give its full path, or set PATH for it.`,
  CWD_MISSING: ({ cwd }: { cwd: string }) =>
    `The working directory ${JSON.stringify(cwd)} does not exist or is not a directory. Create it, or choose another.`,
  SPAWN_FAILED: ({ command, reason }: { command: string; reason: string }) =>
    `${JSON.stringify(command)} could not be started: ${reason}.`,
  STOP_FAILED: ({ pids }: { pids: readonly number[] }) =>
    `These processes did not end although they were killed: ${pids.join(", ")}. End them by hand, with the rights they run under.`,
});
