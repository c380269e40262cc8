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
 * Makes a reporter that can do no harm: with nobody to tell it is silent, what it throws is dropped, and an error
 * that comes by two ways is told once.
 *
 * @param onError - Whom to tell.
 * @returns The reporter.
 */
export function createReporter(onError: ReportError | undefined): ReportError {
  const told = new WeakSet<object>();
  return (error) => {
    if (typeof error === "object" && error !== null) {
      if (told.has(error)) return;
      told.add(error);
    }
    try {
      onError?.(error);
    } catch {
      // Reporting must never change an answer.
    }
  };
}
