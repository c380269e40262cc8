import type { Readable, Writable } from "node:stream";

/** What to start, and with what. */
export interface SpawnOptions {
  /** A program's path, or a name that is looked up in `env.PATH`. Never read by a shell. */
  readonly command: string;
  /** Its arguments, each passed as it is. */
  readonly args?: readonly string[];
  /** Its whole environment: nothing of the host's is added. */
  readonly env: Readonly<Record<string, string>>;
  /** Its working directory; default: the host's. */
  readonly cwd?: string;
  /** How much of the end of standard error is kept for `stderrTail()`; default 65,536. */
  readonly stderrBytes?: number;
  /** `none`: its standard input is at its end from the start (`/dev/null`). Default: `pipe`. */
  readonly stdin?: "pipe" | "none";
  /**
   * Gets every piece of both output streams, which are then read as fast as they come. A piece is valid only during the
   * call. `stdout` and `stderrTail()` are empty then.
   */
  readonly onOutput?: (stream: "stdout" | "stderr", chunk: Uint8Array) => void;
  /**
   * A variable of `env` whose value nobody else has, such as a random id. Whatever carries it belongs to the tree, also
   * when it left the session and its parent ended before anyone looked. Linux only.
   */
  readonly marker?: string;
  /** On Windows: hands the arguments over as they are, for a program that reads its own line. Default: false. */
  readonly windowsVerbatimArguments?: boolean;
}

/** How patient `stop()` is. */
export interface StopOptions {
  /** How long the tree may take to end after its standard input closed; default 1,000. */
  readonly eofGraceMs?: number;
  /** How long it may take after SIGTERM; default 1,000. Then comes SIGKILL. */
  readonly termGraceMs?: number;
}

/** How a process ended: its exit code, or the signal that ended it. */
export interface ProcessExit {
  /** Its exit code; null when a signal ended it. */
  readonly code: number | null;
  /** The signal's name; null when it ended by itself. */
  readonly signal: string | null;
}

/** A process of a tree, as a person would want to see it. */
export interface ProcessMember {
  /** Its process id. */
  readonly pid: number;
  /** Its program and arguments, separated by blanks; they come from that process. Empty where the system does not tell. */
  readonly command: string;
}

/** A child process that is stopped as a whole tree, and does not outlive this process. */
export interface OwnedProcess extends AsyncDisposable {
  /** The process id of what was started; on POSIX also the id of its process group. */
  readonly pid: number;
  /** Its standard input. A write to a closed one is dropped and never crashes the host. */
  readonly stdin: Writable;
  /**
   * Its standard output, with back pressure: what nobody reads is not stored here. Read it from the start: once
   * the process ended, Node throws away what nobody listens to.
   */
  readonly stdout: Readable;
  /** The end of what it wrote to standard error so far, at most `stderrBytes`. */
  stderrTail(): string;
  /**
   * Resolves when the started process itself ended; never rejects.
   * What it left behind lives on until `stop()`.
   */
  readonly exited: Promise<ProcessExit>;
  /**
   * The living processes of its tree, itself among them while it lives.
   *
   * On Windows only itself is found.
   */
  findMembers(): Promise<readonly ProcessMember[]>;
  /** Resolves when nobody writes to its output streams any more, itself or what it left behind; and they were read. */
  readonly outputEnded: Promise<void>;
  /**
   * From now on reads and drops what comes from its output streams, and lets neither keep this process alive. For a tree
   * that may live on: a full pipe would hold it up, and a closed one end it.
   */
  dropOutput(): void;
  /**
   * Ends the whole tree: closes standard input, then SIGTERM, then SIGKILL.
   *
   * May be called again and at the same time; all calls wait for the same end.
   *
   * @returns Resolves only when every process of the tree is gone.
   * @throws {PosternError} `STOP_FAILED` when a process survives SIGKILL for 5 seconds; may be called again.
   */
  stop(options?: StopOptions): Promise<void>;
  /** As `stop()` without any patience; also hurries a `stop()` that is under way. */
  kill(): Promise<void>;
}
