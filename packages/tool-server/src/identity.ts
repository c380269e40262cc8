import type { Caller, ToolSet } from "@postern/tool";

/** How a server introduces itself. */
export interface ServerIdentity {
  /** Its name, for instance the package's. */
  readonly name: string;
  /** Its version. */
  readonly version: string;
  /** A title for people. */
  readonly title?: string;
  /** What a model should know before it uses the tools. */
  readonly instructions?: string;
}

/** What is served: one set for everybody, or a set by caller. */
export type Serve = ToolSet | ((caller: Caller) => ToolSet | Promise<ToolSet>);

/** Gets what never reaches a caller: unknown errors with their stacks. */
export type ReportError = (error: unknown) => void;

/**
 * Makes a reporter that can do no harm: with nobody to tell it is silent, and what it throws is dropped.
 *
 * @param onError - Whom to tell.
 * @returns The reporter.
 */
export function createReporter(onError: ReportError | undefined): ReportError {
  return (error) => {
    try {
      onError?.(error);
    } catch {
      // Reporting must never change an answer.
    }
  };
}
