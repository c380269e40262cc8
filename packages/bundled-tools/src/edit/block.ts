import { toLf } from "./source-text.js";

/** A text cut into lines, and where each begins. */
export interface Lines {
  readonly text: string;
  readonly lines: readonly string[];
  /** Where each line begins in `text`. */
  readonly starts: readonly number[];
}

/** What is looked for. */
export interface Wanted {
  /** With LF. */
  readonly text: string;
  /** Its lines, without the empty one after a last line break. */
  readonly lines: readonly string[];
  /** Whether it ends in a line break. */
  readonly endsLine: boolean;
}

/** A place in the text. */
export interface Span {
  readonly start: number;
  /** After the last character. */
  readonly end: number;
  /** For whole lines: the first one, and the one after the last. */
  readonly block?: { readonly from: number; readonly to: number };
}

/** Cuts a text, whose lines end in LF, into lines. */
export function toLines(text: string): Lines {
  const lines = text.split("\n");
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  return { text, lines, starts };
}

/** Reads what a caller looks for. */
export function toWanted(oldString: string): Wanted {
  const text = toLf(oldString);
  const lines = text.split("\n");
  const endsLine = lines.length > 1 && lines.at(-1) === "";
  return { text, lines: endsLine ? lines.slice(0, -1) : lines, endsLine };
}

/** The place of whole lines, with the last line break when what was looked for has one too. */
export function toBlockSpan(
  { lines, starts }: Lines,
  block: { readonly from: number; readonly to: number },
  endsLine: boolean,
): Span {
  const last = block.to - 1;
  const end = (starts[last] ?? 0) + (lines[last]?.length ?? 0);
  const hasBreak = block.to < lines.length;
  return { start: starts[block.from] ?? 0, end: endsLine && hasBreak ? end + 1 : end, block };
}
