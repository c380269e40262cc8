import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { isPosternError, type PosternError } from "@postern/errors";
import {
  processErrors,
  spawnProcess,
  type OwnedProcess,
  type SpawnOptions,
} from "@postern/processes";
import type { CallContext } from "@postern/tool";
import { bundledErrors } from "../errors.js";
import { commandMarker, toCommandEnvironment } from "./command-environment.js";
import { commandErrors } from "./errors.js";
import { OutputRecorder } from "./output-recorder.js";
import type { ShellCall } from "./shell.js";
import type { Background } from "./to-display.js";
import { waitForQuiet } from "./wait-for-quiet.js";

/** A command to run. */
export interface CommandRun {
  readonly shell: ShellCall;
  /** The server's environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder it begins in: where it is, and what the caller called it. */
  readonly folder: { readonly realPath: string; readonly path: string };
  readonly timeoutSeconds: number;
  /** The greatest that a caller may give; for the message. */
  readonly maxSeconds: number;
  /** Per stream. */
  readonly maxOutputChars: number;
  readonly context: Pick<CallContext, "signal" | "progress">;
}

/** What came of it. */
export interface CommandEnd {
  readonly returncode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
  /** What it left running. */
  readonly background: readonly Background[];
  /** Why it was ended. */
  readonly error?: PosternError;
}

/** The longest timer that Node keeps; a longer one would fire at once. */
const maxTimerMs = 2_147_483_647;
const termGraceMs = 3_000;
const progressIntervalMs = 1_000;

/**
 * Runs a command until its shell ends, its time is up, or its caller gives up. In the last two cases everything it
 * started is ended, with three seconds to obey; otherwise what it left running stays, and is ended with this process.
 *
 * @returns What came of it, also what it printed before it was ended.
 * @throws {PosternError} `COMMAND_NOT_STARTED`, `PATH_NOT_FOUND`; `CANCELLED` when that was before the start.
 */
export async function runToEnd(run: CommandRun): Promise<CommandEnd> {
  if (run.context.signal.aborted) throw bundledErrors.CANCELLED();
  const stdout = new OutputRecorder(run.maxOutputChars);
  const stderr = new OutputRecorder(run.maxOutputChars);
  const child = await startShell(run, (stream, chunk) =>
    (stream === "stdout" ? stdout : stderr).push(chunk),
  );
  const endProgress = reportProgress(run, [stdout, stderr]);
  let cause = await waitForEnd(child, run);
  let stuck = cause === undefined ? undefined : await endTree(child, cause);
  await waitForQuiet(child, () => stdout.bytes + stderr.bytes);
  endProgress();
  if (cause === undefined && run.context.signal.aborted) {
    // Given up just after the shell ended: what it left running is not wanted either.
    cause = bundledErrors.CANCELLED();
    stuck = await endTree(child, cause);
  }
  const exit = stuck === undefined ? await child.exited : { code: null, signal: null };
  const background = await findBackground(child);
  child.dropOutput();
  const [out, err] = [stdout.finish(), stderr.finish()];
  const error = stuck ?? cause;
  return {
    returncode: error === undefined ? exit.code : null,
    signal: exit.signal,
    stdout: out.text,
    stderr: err.text,
    truncated: out.truncated || err.truncated,
    background,
    ...(error === undefined ? {} : { error }),
  };
}

async function startShell(
  { shell, environment, folder }: CommandRun,
  onOutput: NonNullable<SpawnOptions["onOutput"]>,
): Promise<OwnedProcess> {
  try {
    return await spawnProcess({
      ...shell,
      env: toCommandEnvironment(environment, randomUUID()),
      cwd: folder.realPath,
      stdin: "none",
      onOutput,
      marker: commandMarker,
    });
  } catch (error) {
    if (!isPosternError(error, processErrors)) throw error;
    const options = { cause: error };
    // Its own message would name the resolved path.
    throw error.code === "CWD_MISSING"
      ? bundledErrors.PATH_NOT_FOUND({ path: folder.path }, options)
      : commandErrors.COMMAND_NOT_STARTED({ reason: error.message }, options);
  }
}

/** Resolves to why the command must be ended; to undefined when it ended by itself. */
async function waitForEnd(child: OwnedProcess, run: CommandRun): Promise<PosternError | undefined> {
  const { timeoutSeconds, maxSeconds, context } = run;
  const released = new AbortController();
  const patience = new Promise<PosternError>((resolve) => {
    const seconds = { seconds: timeoutSeconds, maxSeconds };
    const timer = setTimeout(
      () => resolve(commandErrors.COMMAND_TIMEOUT(seconds)),
      Math.min(maxTimerMs, timeoutSeconds * 1_000),
    );
    const giveUp = (): void => resolve(bundledErrors.CANCELLED());
    // Given up while the shell was being started: there is no event any more.
    if (context.signal.aborted) giveUp();
    // Callers without a signal of their own share one; however many calls are under way, none of them leaks.
    setMaxListeners(0, context.signal);
    context.signal.addEventListener("abort", giveUp, { signal: released.signal });
    released.signal.addEventListener("abort", () => clearTimeout(timer));
  });
  const cause = await Promise.race([child.exited.then(() => undefined), patience]);
  released.abort();
  return cause;
}

/** Ends everything that came from the command; resolves to an error when something does not end. */
export async function endTree(
  child: Pick<OwnedProcess, "stop">,
  cause: PosternError,
): Promise<PosternError | undefined> {
  try {
    await child.stop({ eofGraceMs: 0, termGraceMs });
    return undefined;
  } catch (error) {
    if (!isPosternError(error, processErrors) || error.code !== "STOP_FAILED") throw error;
    const { pids } = error.data as { readonly pids: readonly number[] };
    return commandErrors.COMMAND_NOT_ENDED({ pids, cause: cause.message }, { cause: error });
  }
}

/** Looks twice: what is only about to end is not worth a word. */
async function findBackground(child: OwnedProcess): Promise<readonly Background[]> {
  const members = await child.findMembers();
  if (members.length === 0) return [];
  await new Promise((resolve) => setTimeout(resolve, 30));
  return (await child.findMembers()).map(({ pid, command }) => ({
    pid,
    command: toLine(command),
  }));
}

/** One short line: what a process calls itself may hold anything. */
function toLine(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

/** Tells once a second that it goes on; returns how to stop that. */
function reportProgress(run: CommandRun, recorders: readonly OutputRecorder[]): () => void {
  const from = performance.now();
  let lastBytes = 0;
  let lastLine = "";
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - from) / 100) / 10;
    const bytes = recorders.reduce((sum, recorder) => sum + recorder.bytes, 0);
    const [out, err] = recorders;
    if (bytes !== lastBytes) lastLine = out?.findLastLine() || err?.findLastLine() || "";
    lastBytes = bytes;
    const message = `Running for ${Math.round(seconds)} s, ${bytes} bytes of output${lastLine === "" ? "." : `: ${lastLine}`}`;
    run.context.progress({ progress: seconds, total: run.timeoutSeconds, message });
  }, progressIntervalMs);
  return () => clearInterval(timer);
}
