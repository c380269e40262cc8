import { createSourceText, type SourceText } from "./json/source-text.js";
import type { JsonPath } from "./json/json-value.js";
import { toPathText } from "./json/path-text.js";
import type { Place, Problem } from "./problem.js";

/** A file with ten thousand faults is told by its first ones. */
const maxProblems = 50;

/** What to report, and where in the text it is. */
export interface Finding {
  readonly code: string;
  readonly message: string;
  readonly offset: number;
  readonly path: JsonPath;
}

/** Collects the problems of one file. */
export interface Report {
  readonly file: string;
  readonly source: SourceText;
  /** Where something stands, as others are told. */
  placeOf(offset: number, path: JsonPath): Place;
  /** Notes an error, unless there are too many already. */
  error(finding: Finding): void;
  /** Notes an error that has its place already. */
  add(problem: Problem): void;
  /** Notes a warning; one for each `once` key. */
  warning(finding: Finding, once?: string): void;
  /** Whether another error, or another warning, would not be told any more. */
  isFull(severity: Problem["severity"]): boolean;
  errors(): readonly Problem[];
  warnings(): readonly Problem[];
  /** A report of a part: its own errors, and the warnings of the whole. */
  part(): Report;
}

/** Starts the report of one file. */
export function createReport(text: string, file: string): Report {
  return createPart({ file, source: createSourceText(text), warnings: [], warned: new Set() });
}

interface Shared {
  readonly file: string;
  readonly source: SourceText;
  readonly warnings: Problem[];
  readonly warned: Set<string>;
}

function createPart(shared: Shared): Report {
  const { file, source, warnings, warned } = shared;
  const errors: Problem[] = [];
  const placeOf = (offset: number, path: JsonPath): Place =>
    Object.freeze({ file, ...source.positionAt(offset), path: toPathText(path) });
  const toProblem = (severity: Problem["severity"], finding: Finding): Problem =>
    Object.freeze({
      code: finding.code,
      severity,
      ...placeOf(finding.offset, finding.path),
      message: finding.message,
    });
  const add = (problem: Problem): void => {
    if (errors.length < maxProblems) errors.push(problem);
  };
  return {
    file,
    source,
    placeOf,
    error: (finding) => add(toProblem("error", finding)),
    add,
    warning: (finding, once) => {
      const key = once ?? `${finding.code} ${finding.offset}`;
      if (warned.has(key) || warnings.length >= maxProblems) return;
      warned.add(key);
      warnings.push(toProblem("warning", finding));
    },
    isFull: (severity) => (severity === "error" ? errors : warnings).length >= maxProblems,
    errors: () => errors,
    warnings: () => warnings,
    part: () => createPart(shared),
  };
}
