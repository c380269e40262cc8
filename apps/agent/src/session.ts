import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Printer } from "./printer.js";

/** What every command is given: where it runs, and how it speaks. */
export interface Session {
  /** The owner's folder: `POSTERN_HOME`, else `~/.postern`. */
  readonly home: string;
  /** The project: the working directory. */
  readonly project: string;
  /** The environment that `{env:NAME}` is resolved from. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How it speaks. */
  readonly printer: Printer;
  /** Aborted, with the error to exit with, when the owner interrupts. */
  readonly signal: AbortSignal;
}

/** Runs one command with the session of this process. */
export type Run = (
  flags: { readonly json?: boolean },
  work: (session: Session) => Promise<number>,
) => Promise<void>;

/**
 * Finds the owner's folder.
 *
 * @param env - The environment. @param project - What a relative `POSTERN_HOME` starts from.
 * @returns Its absolute path; an empty variable counts as unset.
 */
export function findHome(env: Session["env"], project: string): string {
  const named = env["POSTERN_HOME"];
  return named === undefined || named === ""
    ? join(homedir(), ".postern")
    : resolve(project, named);
}
