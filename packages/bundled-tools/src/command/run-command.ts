import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { isPosternError } from "@postern/errors";
import type { Tool } from "@postern/tool";
import { z } from "zod";
import { defineBundledTool, toFailed, type Failed } from "../define-bundled-tool.js";
import { bundledErrors } from "../errors.js";
import type { RootFolder } from "../files/root-folder.js";
import { toFileError } from "../files/to-file-error.js";
import type { Surroundings } from "../surroundings.js";
import { commandErrors } from "./errors.js";
import { maxTimeoutVariable, parseMaxTimeout } from "./max-timeout.js";
import { runToEnd, type CommandEnd, type CommandRun } from "./run-to-end.js";
import { findShell, type ToShellCall } from "./shell.js";
import { toDisplay } from "./to-display.js";

const defaultTimeoutSeconds = 30;
const maxBackground = 50;

const description = `Runs a command in the platform's shell and answers with its exit code and output.

Use this tool to build, test, or use the tools of a project. Use when no other tool does the job. Do not use for reading, searching or changing files (use the tools for that).

Scope the command to what was asked for: name the file, package or test, not everything. It starts in \`working_directory\`, has no input, and is ended after \`timeout_seconds\`; what it printed until then is kept. An exit code other than 0 is an answer, not an error. Of long output the beginning and the end are kept. A program started with & stays and is listed in \`background\`; send its output to a file to see it, and end it with kill.

Example: {"command": "npm test -- src/parse.test.ts", "timeout_seconds": 120}`;

const input = z.strictObject({
  command: z.string().min(1).describe("What the shell is given; may be several lines."),
  working_directory: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe("Where it starts, relative to the project; null is the project's folder."),
  timeout_seconds: z
    .number()
    .min(1)
    .optional()
    // No default for the parser: the owner's ceiling may be lower, and then counts instead.
    .meta({ default: defaultTimeoutSeconds })
    .describe("How long it may run."),
  max_output_chars: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(100_000)
    .describe("Most characters to keep of stdout, and of stderr."),
});

type Input = z.output<typeof input>;

const output = z.strictObject({
  command: z.string(),
  working_directory: z.string(),
  returncode: z.int().nullable().describe("Null when it was ended, or killed by a signal."),
  signal: z.string().nullable().describe("The signal that killed it."),
  stdout: z.string(),
  stderr: z.string(),
  truncated: z.boolean().describe("Something was left out; a line in the text says how much."),
  background: z
    .array(z.strictObject({ pid: z.int(), command: z.string() }))
    .describe("What it left running; it is ended with the server."),
  note: z.string().describe("What is worth knowing about this answer; else empty."),
  display: z
    .strictObject({
      mime: z.string(),
      text: z.string(),
      meta: z.strictObject({ command: z.string(), returncode: z.int().nullable() }),
    })
    .nullable()
    .describe("The same for people; null when there is nothing to see."),
});

type Fields = z.input<typeof output>;

/** What came of a command that was not even started. */
const nothing: CommandEnd = {
  returncode: null,
  signal: null,
  stdout: "",
  stderr: "",
  truncated: false,
  background: [],
};

const empty: Fields = {
  ...nothing,
  background: [],
  command: "",
  working_directory: "",
  note: "",
  display: null,
};

/** What `run_command` needs of the process around it. */
export interface CommandSurroundings extends Surroundings {
  /** The server's whole environment, read at every use; commands get it without what is meant for the server. */
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  /** The shell. Default: the platform's. */
  readonly shell?: ToShellCall;
}

/**
 * Makes the tool `run_command`.
 *
 * @param surroundings - The containment of the working directory, the environment, and for whom it works.
 * @returns The tool.
 */
export function runCommandTool(surroundings: CommandSurroundings): Tool {
  return defineBundledTool(
    {
      name: "run_command",
      title: "Run a command",
      description,
      input,
      output,
      empty,
      tags: ["local", "code"],
      checkpaths: ["working_directory"],
      annotations: { destructiveHint: true, openWorldHint: true },
      async run(request, context) {
        try {
          const run = await toRun(surroundings, request);
          return toAnswer(request, await runToEnd({ ...run, context }));
        } catch (error) {
          if (!isPosternError(error)) throw error;
          return toAnswer(request, { ...nothing, error });
        }
      },
    },
    surroundings.guard,
  );
}

async function toRun(
  { root, env, environment, shell }: CommandSurroundings,
  request: Input,
): Promise<Omit<CommandRun, "context">> {
  const { command, max_output_chars: maxOutputChars } = request;
  if (command.trim() === "") throw commandErrors.INVALID_COMMAND({ problem: "it is blank" });
  // The system would take the part before the NUL, and run another command than was shown.
  if (command.includes("\0"))
    throw commandErrors.INVALID_COMMAND({ problem: "it holds a NUL character" });
  const { maxSeconds, warning } = parseMaxTimeout(env(maxTimeoutVariable));
  const timeoutSeconds = request.timeout_seconds ?? Math.min(defaultTimeoutSeconds, maxSeconds);
  if (timeoutSeconds > maxSeconds)
    throw commandErrors.TIMEOUT_ABOVE_CEILING({ seconds: timeoutSeconds, maxSeconds, warning });
  const path = toPath(request);
  const around = environment();
  return {
    shell: (shell ?? findShell(process.platform, around))(command),
    environment: around,
    folder: { realPath: await findFolder(root, path), path },
    timeoutSeconds,
    maxSeconds,
    maxOutputChars,
  };
}

function toPath(request: Input): string {
  return request.working_directory ?? ".";
}

/** Where the folder really lies; a link that is swapped later leads a command where it could have gone by itself. */
async function findFolder(root: RootFolder, path: string): Promise<string> {
  try {
    await using place = await root.openPlace(path);
    if (!place.stats.isDirectory()) throw bundledErrors.NOT_A_DIRECTORY({ path });
    await access(place.realPath, constants.R_OK | constants.X_OK);
    return place.realPath;
  } catch (error) {
    throw toFileError(error, path);
  }
}

function toAnswer(request: Input, end: CommandEnd): Fields | Failed<Fields> {
  const { error, ...outcome } = end;
  const seen = {
    ...outcome,
    command: request.command,
    background: outcome.background.slice(0, maxBackground),
  };
  const fields: Fields = {
    ...seen,
    working_directory: toPath(request),
    note: toNote(end),
    display: toDisplay(seen, error?.message ?? ""),
  };
  return error === undefined ? fields : toFailed(error, fields);
}

function toNote({ background }: CommandEnd): string {
  const count = background.length;
  if (count === 0) return "";
  const left = count === 1 ? "1 process is" : `${count} processes are`;
  const shown = count > maxBackground ? ` (the first ${maxBackground} are listed)` : "";
  return `${left} still running${shown}, and ended with the server. What comes on their output from now on is dropped.`;
}
