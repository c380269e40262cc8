import { toTable } from "./table.js";
import { toVisibleLine, toVisibleText } from "./visible-text.js";

/** Where output goes: the two streams of a process, or of a test. */
export interface Streams {
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** Writes what a command says: answers to stdout, everything else to stderr. */
export interface Printer {
  /** Whether the answer is JSON. */
  readonly json: boolean;
  /** Whether a person reads stdout. */
  readonly terminal: boolean;
  /** Whether a person reads stderr. */
  readonly ownerWatches: boolean;
  /** The answer: `value` with `--json`, else what `text` makes. Text that came from outside must be visible text. */
  answer(value: unknown, text: () => string): void;
  /** Text of a server, as the answer: whole when piped, without control characters on a terminal. */
  answerRaw(text: string): void;
  /** A table as text, its head row bold and its last column cut on a terminal. */
  table(head: readonly string[], rows: readonly (readonly string[])[]): string;
  /** One line on stderr. */
  note(text: string): void;
  /** Lines on stderr, indented, as they are but for control characters. */
  quote(text: string): void;
  /** An error: JSON on stdout with `--json`, else a line on stderr, and what a server wrote quoted below it. */
  fail(error: {
    readonly error: string;
    readonly message: string;
    readonly serverText?: string;
  }): void;
}

/**
 * Makes the printer of a run.
 *
 * @param streams - Where it writes.
 * @param options - `json`: answers are JSON. `color`: bold is allowed where a person reads.
 * @returns The printer.
 */
export function createPrinter(
  { stdout, stderr }: Streams,
  options: { readonly json: boolean; readonly color: boolean },
): Printer {
  const terminal = stdout.isTTY === true;
  const answer = (text: string): void =>
    void stdout.write(text === "" || text.endsWith("\n") ? text : `${text}\n`);
  const note = (text: string): void => void stderr.write(`postern: ${toVisibleLine(text)}\n`);
  const quote = (text: string): void =>
    void stderr.write(
      toVisibleText(text)
        .trimEnd()
        .split("\n")
        .map((line) => `  | ${line}\n`)
        .join(""),
    );
  return {
    json: options.json,
    terminal,
    ownerWatches: stderr.isTTY === true,
    answer: (value, text) => answer(options.json ? toJsonText(value) : text()),
    answerRaw: (text) => answer(terminal ? toVisibleText(text) : text),
    table: (head, rows) =>
      toTable(head, rows, {
        bold: terminal && options.color,
        ...(terminal && stdout.columns !== undefined ? { columns: stdout.columns } : {}),
      }),
    note,
    quote,
    fail: (error) => {
      if (options.json) return answer(toJsonText(error));
      const [first = "", ...rest] = error.message.split("\n");
      note(first);
      if (rest.length > 0) quote(rest.join("\n"));
      if (error.serverText !== undefined) quote(error.serverText);
    },
  };
}

/** What a terminal acts on, or hides, and JSON lets stand as it is. */
// eslint-disable-next-line no-control-regex -- they are exactly what is looked for
const unprintable =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** JSON of the same value whose text no terminal acts on: `--json` may be read by a person too. */
function toJsonText(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replace(
    unprintable,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
