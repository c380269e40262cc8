import { isPosternError } from "@postern/errors";
import { readVersion } from "../version.js";
import { help } from "./help.js";
import type { ProgramIo } from "./io.js";
import { parseFlags } from "./parse-flags.js";

/**
 * Runs the program `postern-tools`.
 *
 * @param io - Its arguments, environment and outputs.
 * @returns The exit code when it is done: 0, 1 when it could not serve, 2 for wrong flags.
 */
export async function runProgram(io: ProgramIo): Promise<number> {
  const parsed = parseFlags(io.args);
  if (!parsed.ok) {
    io.log(`postern-tools: ${parsed.problem} See postern-tools --help.`);
    return 2;
  }
  const flags = parsed.value;
  if (flags.kind !== "serve") {
    io.print(flags.kind === "help" ? help : readVersion());
    return 0;
  }
  try {
    // Loaded only now, so that --help and --version need none of it.
    const { serveTools } = await import("./serve-tools.js");
    await serveTools(flags, io);
    return 0;
  } catch (error) {
    if (!isPosternError(error)) throw error;
    io.log(`postern-tools: ${error.message}`);
    return 1;
  }
}
