import { defineErrors } from "@postern/errors";
import { maxTimeoutVariable } from "./max-timeout.js";

/** Why `run_command` refused or failed, beside what it shares with the other tools. */
export const commandErrors = defineErrors({
  INVALID_COMMAND: ({ problem }: { readonly problem: string }) =>
    `The command cannot be run: ${problem}.`,
  TIMEOUT_ABOVE_CEILING: ({
    seconds,
    maxSeconds,
    warning,
  }: {
    readonly seconds: number;
    readonly maxSeconds: number;
    readonly warning?: string | undefined;
  }) =>
    `timeout_seconds is ${seconds}, and at most ${maxSeconds} is allowed. Give less, or start the server with a greater ${maxTimeoutVariable} (seconds).${warning === undefined ? "" : ` ${warning}`}`,
  COMMAND_NOT_STARTED: ({ reason }: { readonly reason: string }) =>
    `The shell could not be started: ${reason}`,
  COMMAND_TIMEOUT: ({
    seconds,
    maxSeconds,
  }: {
    readonly seconds: number;
    readonly maxSeconds: number;
  }) =>
    `The command was still running after ${seconds} s, so it and all that it started was ended. What it had printed is kept. If it needs longer, give a greater timeout_seconds (at most ${maxSeconds}, see ${maxTimeoutVariable}); if it is a server, start it in the background with &.`,
  COMMAND_NOT_ENDED: ({
    pids,
    cause,
  }: {
    readonly pids: readonly number[];
    readonly cause: string;
  }) =>
    `${cause} These processes of it could not be ended, because they run under other rights: ${pids.join(", ")}.`,
});
