import { createInterface } from "node:readline";

/**
 * Asks a person at the terminal.
 *
 * @param question - What is asked, on stderr. @param signal - Gives up the wait.
 * @param nobody - What to throw where no person reads stderr and types at stdin.
 * @returns True for `y` or `yes`; anything else, also the end of the input, is no.
 */
export async function readYes(
  question: string,
  signal: AbortSignal,
  nobody: Error,
): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw nobody;
  process.stderr.write(question);
  // Not as a terminal: Ctrl-C then stays a signal, which the session turns into the exit code.
  const lines = createInterface({ input: process.stdin, terminal: false });
  try {
    return await new Promise<boolean>((resolve, reject) => {
      lines.once("line", (line) => resolve(/^y(es)?$/i.test(line.trim())));
      lines.once("close", () => resolve(false));
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
  } finally {
    lines.close();
  }
}
