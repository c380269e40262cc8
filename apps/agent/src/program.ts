import { Command, CommanderError } from "commander";
import { isPosternError } from "@postern/errors";
import { defineMcpCommands } from "./define-mcp-commands.js";
import { defineToolCommands } from "./define-tool-commands.js";
import { agentErrors } from "./errors.js";
import { exitCodeHelp, exitCodes, toExitCode } from "./exit-code.js";
import { createPrinter } from "./printer.js";
import { findHome, type Run } from "./session.js";

/**
 * Runs the command line and ends the process.
 *
 * @param words - What follows the program's name.
 */
export async function runProgram(words: readonly string[]): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", endOnFullDisk);
  const signal = createInterruptSignal();
  // Until a command has read its flags; then its own `--json` counts.
  let json = words.includes("--json");
  let exitCode: number = exitCodes.ok;
  const run: Run = async (flags, work) => {
    json = flags.json === true;
    const project = process.cwd();
    const printer = createSessionPrinter(json);
    const { env } = process;
    exitCode = await work({ home: findHome(env, project), project, env, printer, signal });
  };
  const program = createProgram(run);
  try {
    await program.parseAsync([...words], { from: "user" });
  } catch (error) {
    exitCode = reportError(await toProblem(error, { program, words }), json);
  }
  await end(exitCode);
}

/** All commands; each loads its own file when it runs. */
function createProgram(run: Run): Command {
  const program = new Command("postern")
    .description("Connects agents to tools, and lets in only what its owner allows.")
    .usage("COMMAND [flags]")
    .option("-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .helpCommand(false)
    // Flags after a command's name are that command's: `mcp add x --arg --version` is not a question to us.
    .enablePositionalOptions()
    .showSuggestionAfterError(false)
    .configureOutput({ outputError: () => undefined })
    .exitOverride();
  defineMcpCommands(program, run);
  defineToolCommands(program, run);
  return program.addHelpText(
    "after",
    `\nEvery command takes --json: stdout is then only JSON, also for an error.\n
Files: mcp.json, settings.json and trust.json in POSTERN_HOME (~/.postern); postern.json in the working directory.\n
${exitCodeHelp}`,
  );
}

/** Turns commander's own refusals into ours; values that were typed never come back in a message. */
async function toProblem(
  error: unknown,
  { program, words }: { readonly program: Command; readonly words: readonly string[] },
): Promise<unknown> {
  if (!(error instanceof CommanderError)) return error;
  if (error.code.startsWith("commander.help"))
    return error.exitCode === 0 ? undefined : agentErrors.USAGE({ problem: "Name a command." });
  const { findNearest } = await import("@postern/config");
  const command = findCommand(program, words);
  const [, quoted = ""] = /'([^']*)'/.exec(error.message) ?? [];
  // `--flag=value` and `-fvalue` would repeat the value, which may be a secret.
  const flag = /^(--[^=]+|-.)/.exec(quoted)?.[0] ?? "";
  if (error.code === "commander.unknownOption") {
    const known = command.options.flatMap(({ long }) => (long == null ? [] : [long]));
    return toUsageError(`There is no flag ${flag} here`, findNearest(flag, known), command);
  }
  if (error.code === "commander.unknownCommand") {
    const known = command.commands.map((one) => one.name());
    return toUsageError(`There is no command ${quoted}`, findNearest(quoted, known), command);
  }
  const text = error.message.replace(/^error: /, "").replace(/\.$/, "");
  return toUsageError(text[0]?.toUpperCase() + text.slice(1), undefined, command);
}

function toUsageError(problem: string, nearest: string | undefined, command: Command): Error {
  const path = [command.parent?.parent, command.parent, command].flatMap(
    (one) => one?.name() ?? [],
  );
  const guess = nearest === undefined ? "." : `; did you mean ${nearest}?`;
  return agentErrors.USAGE({ problem: `${problem}${guess} Help: ${path.join(" ")} --help` });
}

function findCommand(program: Command, words: readonly string[]): Command {
  let command = program;
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) break;
    command = next;
  }
  return command;
}

function createSessionPrinter(json: boolean): ReturnType<typeof createPrinter> {
  const { NO_COLOR, TERM } = process.env;
  return createPrinter(process, { json, color: !NO_COLOR && TERM !== "dumb" });
}

function reportError(error: unknown, json: boolean): number {
  if (error === undefined) return exitCodes.ok;
  const printer = createSessionPrinter(json);
  printer.fail(toAnswer(error));
  if (process.env["POSTERN_DEBUG"] === "1") printer.quote(toStack(error));
  return toExitCode(error);
}

interface Answer {
  readonly error: string;
  readonly message: string;
  /** What a server said about it, in its own words. */
  readonly serverText?: string;
}

function toAnswer(error: unknown): Answer {
  if (isPosternError(error)) {
    const { serverText } = error.data as { readonly serverText?: unknown };
    const said = typeof serverText === "string" ? { serverText } : {};
    return { error: error.code, message: error.message, ...said };
  }
  const text = error instanceof Error ? error.message : "Something was thrown that is no error";
  const message = `${text} (a fault of Postern's own; POSTERN_DEBUG=1 shows where)`;
  return { error: "INTERNAL_ERROR", message };
}

/** Stacks only: other members of an error, such as a request's headers, may hold a secret. */
function toStack(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const cause = error.cause === undefined ? "" : `\nCaused by ${toStack(error.cause)}`;
  return (error.stack ?? error.message) + cause;
}

/** Aborts at the first signal so that servers are closed; the second one ends the process at once. */
function createInterruptSignal(): AbortSignal {
  const controller = new AbortController();
  const listen = (signal: NodeJS.Signals, error: Error): void => {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(toExitCode(error));
      controller.abort(error);
    });
  };
  listen("SIGINT", agentErrors.INTERRUPTED());
  listen("SIGTERM", agentErrors.TERMINATED());
  listen("SIGHUP", agentErrors.TERMINATED());
  return controller.signal;
}

/**
 * A reader that had enough, such as `head`, is no failure; the command goes on and closes what it opened. Where the
 * answer cannot be written, the exit code is all that is left to say so.
 */
function endOnFullDisk({ code, message }: NodeJS.ErrnoException): void {
  if (code === "EPIPE") return;
  process.stderr.write(`postern: The output cannot be written: ${message}\n`);
  process.exit(exitCodes.fault);
}

async function end(exitCode: number): Promise<never> {
  for (const stream of [process.stdout, process.stderr])
    await new Promise<void>((resolve) => {
      stream.write("", () => resolve());
    });
  process.exit(exitCode);
}
