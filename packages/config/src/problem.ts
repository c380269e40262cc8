/** Where in a file something was written. */
export interface Place {
  /** The file's name or path, as the caller gave it. */
  readonly file: string;
  /** One-based; 0 where the value was not read from a file. */
  readonly line: number;
  /** One-based, in UTF-16 units; 0 where the value was not read from a file. */
  readonly column: number;
  /** The value's place inside the document, for instance `mcpServers.github.args[1]`; empty for the whole. */
  readonly path: string;
}

/**
 * Something wrong, or worth knowing, in a configuration file.
 *
 * Names taken from the file are quoted in `message` with control and bidirectional characters escaped, so it may be
 * printed on a terminal as it is; values that could be secrets are never quoted.
 */
export interface Problem extends Place {
  /** Stable code, for instance `UNKNOWN_KEY`. */
  readonly code: string;
  /** `error`: what it names does not count; `warning`: it counts, and this is worth knowing. */
  readonly severity: "error" | "warning";
  /** What is wrong and what to do, in one or two sentences. */
  readonly message: string;
  /** The server that the problem keeps from being used, where it is about one. */
  readonly server?: string;
}

/** What a parser gives: the value with warnings, or every problem found. It never throws. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T; readonly warnings: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Where a value stands that no file holds: made by a program. */
export const nowhere: Place = Object.freeze({ file: "", line: 0, column: 0, path: "" });
