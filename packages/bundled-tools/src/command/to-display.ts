/** A program that a command left running. */
export interface Background {
  readonly pid: number;
  readonly command: string;
}

/** What came of a command. */
export interface CommandOutcome {
  readonly command: string;
  readonly returncode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly background: readonly Background[];
}

/** A block for people, beside what a model reads. */
export interface Display {
  readonly mime: string;
  readonly text: string;
  readonly meta: { readonly command: string; readonly returncode: number | null };
}

/**
 * Writes a command and what came of it as a terminal would show it.
 *
 * @param outcome - What came of it.
 * @param error - Why it failed; empty when it did not.
 * @returns Null when there is nothing to see: no output, exit code 0, nothing left running.
 */
export function toDisplay(outcome: CommandOutcome, error: string): Display | null {
  const { command, returncode, stdout, stderr, signal, background } = outcome;
  const isSilent = `${stdout}${stderr}${error}` === "" && background.length === 0;
  if (isSilent && returncode === 0) return null;
  const sections = [
    `$ ${command}`,
    stdout,
    toSection("stderr", stderr),
    toSection("error", error),
    toSection("background", background.map((left) => `${left.pid} ${left.command}`).join("\n")),
    returncode === null ? "" : `[exit ${returncode}]`,
    signal === null ? "" : `[killed by ${signal}]`,
  ];
  const text = sections
    .filter((section) => section !== "")
    .map((section) => (section.endsWith("\n") ? section.slice(0, -1) : section))
    .join("\n");
  return { mime: "text/x-shell", text, meta: { command, returncode } };
}

function toSection(name: string, text: string): string {
  return text === "" ? "" : `--- ${name} ---\n${text}`;
}
