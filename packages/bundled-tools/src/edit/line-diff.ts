import { diffArrays } from "diff";

/** What differs between two texts, by lines. */
export interface LineDiff {
  /** Unified diff with three lines of context; empty when nothing differs. */
  readonly diff: string;
  readonly additions: number;
  readonly deletions: number;
}

interface Step {
  readonly sign: " " | "+" | "-";
  readonly line: string;
}

const maxDiffChars = 20_000;
const contextLines = 3;
/** Past these the whole middle counts as replaced: texts that have nothing in common take quadratic time. */
const maxEditLength = 2_000;
const timeoutMs = 200;

/**
 * Compares two texts whose lines end in LF.
 *
 * @param path - What both are called.
 * @returns The diff, at most 20,000 characters, and the numbers of the whole.
 */
export function toLineDiff(path: string, before: string, after: string): LineDiff {
  const { steps, firstLine } = toSteps(toDiffLines(before), toDiffLines(after));
  const additions = steps.filter(({ sign }) => sign === "+").length;
  const deletions = steps.filter(({ sign }) => sign === "-").length;
  if (additions + deletions === 0) return { diff: "", additions, deletions };
  const whole = [`--- ${path}`, `+++ ${path}`, ...toHunks(steps, firstLine)].join("\n");
  const diff =
    whole.length > maxDiffChars
      ? `${whole.slice(0, whole.lastIndexOf("\n", maxDiffChars))}\n… diff truncated`
      : whole;
  return { diff, additions, deletions };
}

/** Lines, each with the mark of a missing last line break where there is none. */
function toDiffLines(text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") return lines.slice(0, -1);
  return [...lines.slice(0, -1), `${lines.at(-1) ?? ""}\n\\ No newline at end of file`];
}

interface Steps {
  readonly steps: readonly Step[];
  /** The number of the line that the first step is about, in both texts. */
  readonly firstLine: number;
}

function toSteps(before: readonly string[], after: readonly string[]): Steps {
  const limit = Math.min(before.length, after.length);
  let head = 0;
  while (head < limit && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < limit - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const start = Math.max(0, head - contextLines);
  const end = before.length - tail;
  const steps = [
    ...before.slice(start, head).map(toSame),
    ...toMiddle(before.slice(head, end), after.slice(head, after.length - tail)),
    ...before.slice(end, end + contextLines).map(toSame),
  ];
  return { steps, firstLine: start + 1 };
}

const toSame = (line: string): Step => ({ sign: " ", line });

function toMiddle(before: readonly string[], after: readonly string[]): readonly Step[] {
  const changes = diffArrays([...before], [...after], { maxEditLength, timeout: timeoutMs });
  if (changes === undefined)
    return [
      ...before.map((line): Step => ({ sign: "-", line })),
      ...after.map((line): Step => ({ sign: "+", line })),
    ];
  return changes.flatMap(({ added, removed, value }) =>
    value.map((line): Step => ({ sign: added ? "+" : removed ? "-" : " ", line })),
  );
}

/** Cuts the steps where more lines are the same than two contexts take. */
function toHunks(steps: readonly Step[], firstLine: number): readonly string[] {
  const lines: string[] = [];
  let [oldLine, newLine] = [firstLine, firstLine];
  let hunk: Step[] = [];
  let starts: readonly [number, number] = [firstLine, firstLine];
  const flush = (): void => {
    if (hunk.some(({ sign }) => sign !== " "))
      for (const line of toHunk(hunk, starts)) lines.push(line);
    hunk = [];
  };
  for (const [index, step] of steps.entries()) {
    if (isNearChange(steps, index)) {
      if (hunk.length === 0) starts = [oldLine, newLine];
      hunk.push(step);
    } else flush();
    if (step.sign !== "+") oldLine += 1;
    if (step.sign !== "-") newLine += 1;
  }
  flush();
  return lines;
}

function isNearChange(steps: readonly Step[], index: number): boolean {
  for (let at = index - contextLines; at <= index + contextLines; at += 1)
    if ((steps[at]?.sign ?? " ") !== " ") return true;
  return false;
}

function toHunk(hunk: readonly Step[], [oldLine, newLine]: readonly [number, number]): string[] {
  const oldCount = hunk.filter(({ sign }) => sign !== "+").length;
  const newCount = hunk.filter(({ sign }) => sign !== "-").length;
  return [
    `@@ -${toRange(oldLine, oldCount)} +${toRange(newLine, newCount)} @@`,
    ...hunk.map(({ sign, line }) => `${sign}${line}`),
  ];
}

/** An empty side is named by the line before it. */
function toRange(line: number, count: number): string {
  return count === 0 ? `${line - 1},0` : `${line},${count}`;
}
