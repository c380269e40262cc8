import { isPosternError } from "@postern/errors";

/** What the process exits with; the README and `--help` say the same. */
export const exitCodes = Object.freeze({
  ok: 0,
  toolError: 1,
  usage: 2,
  configuration: 3,
  refused: 4,
  unreachable: 5,
  fault: 70,
  interrupted: 130,
  terminated: 143,
});

/** For `--help`. */
export const exitCodeHelp = `Exit codes:
  0    it worked
  1    the tool answered an error, or the audit was changed
  2    the command line is not right
  3    a configuration file is not right, or names no such server; or the port is taken
  4    refused, or no such tool
  5    the server cannot be reached
  70   a fault of Postern's own (POSTERN_DEBUG=1 shows where)
  130  interrupted
  143  ended by a signal`;

const byCode: Readonly<Record<string, number>> = Object.freeze({
  USAGE: exitCodes.usage,
  UNKNOWN_ACCESS_LEVEL: exitCodes.usage,
  INVALID_ARGUMENTS: exitCodes.usage,
  OPEN_BIND: exitCodes.usage,
  NO_AUTH_REFUSED: exitCodes.usage,
  UNKNOWN_TOOL: exitCodes.refused,
  NOT_TRUSTED: exitCodes.refused,
  TRUST_CHANGED: exitCodes.refused,
  PATH_DENIED: exitCodes.refused,
  TAINTED_CALL_REFUSED: exitCodes.refused,
  CALL_BLOCKED: exitCodes.refused,
  APPROVAL_REFUSED: exitCodes.refused,
  NO_CONSENT: exitCodes.refused,
  SERVER_UNREACHABLE: exitCodes.unreachable,
  CONNECT_FAILED: exitCodes.unreachable,
  CONNECT_TIMEOUT: exitCodes.unreachable,
  CATALOG_FAILED: exitCodes.unreachable,
  CATALOG_TIMEOUT: exitCodes.unreachable,
  CONNECTION_LOST: exitCodes.unreachable,
  COMMAND_NOT_FOUND: exitCodes.unreachable,
  CWD_MISSING: exitCodes.unreachable,
  SPAWN_FAILED: exitCodes.unreachable,
  TOOL_TIMEOUT: exitCodes.toolError,
  UPSTREAM_ERROR: exitCodes.toolError,
  INPUT_NEEDED: exitCodes.toolError,
  AUDIT_CHANGED: exitCodes.toolError,
  INTERNAL_ERROR: exitCodes.fault,
  INTERRUPTED: exitCodes.interrupted,
  TERMINATED: exitCodes.terminated,
});

/**
 * Finds what to exit with after an error.
 *
 * @param error - What was thrown.
 * @returns The code of its kind; an error of ours that has no kind of its own is about configuration.
 */
export function toExitCode(error: unknown): number {
  if (!isPosternError(error)) return exitCodes.fault;
  return byCode[error.code] ?? exitCodes.configuration;
}
