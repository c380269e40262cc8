import type { ReadVariable } from "../root-user.js";

/** What the program has of the process around it. */
export interface ProgramIo {
  /** The arguments after the program's name. */
  readonly args: readonly string[];
  /** The folder it was started in. */
  readonly directory: string;
  /** Reads a variable of the environment. */
  readonly env: ReadVariable;
  /** The whole environment, for commands. */
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  /** Writes a line for whoever started it. Never used while stdio carries the protocol. */
  readonly print: (line: string) => void;
  /** Writes a line to the log. */
  readonly log: (line: string) => void;
  /** Aborted when the process is asked to end. */
  readonly signal: AbortSignal;
}
