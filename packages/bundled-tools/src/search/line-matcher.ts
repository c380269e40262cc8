import { RE2JS, RE2JSException } from "re2js";
import { searchErrors } from "./errors.js";
import { parsePattern } from "./parse-pattern.js";

/** Finds what a pattern means in one line, in time that grows with the line's length. */
export interface LineMatcher {
  /** Bytes that every matching line holds; undefined when none are known. */
  readonly literal: Buffer | undefined;
  /** Whether a line that holds them matches for sure. */
  readonly isLiteral: boolean;
  /** Where the first match begins, in UTF-16 units; -1 for none. The line has no line break. */
  find(line: string): number;
}

/** On longer lines Node's own engine, which tries again from every character, is not used. */
const maxNativeLength = 2_000;

/**
 * Makes a matcher.
 *
 * @param pattern - In RE2 syntax.
 * @param caseSensitive - Whether upper and lower case differ.
 * @throws {PosternError} `INVALID_PATTERN`
 */
export function createLineMatcher(pattern: string, caseSensitive: boolean): LineMatcher {
  assertPattern(pattern);
  const { re2, native, literal, isLiteral } = parsePattern(pattern, caseSensitive);
  const steady = compile(re2, caseSensitive);
  const quick = native === undefined ? undefined : compileNative(native, caseSensitive);
  return {
    literal: literal === "" ? undefined : Buffer.from(literal, "utf8"),
    isLiteral,
    find(line) {
      if (quick !== undefined && line.length <= maxNativeLength) return line.search(quick);
      const matcher = steady.matcher(line);
      return matcher.find() ? matcher.start() : -1;
    },
  };
}

function assertPattern(pattern: string): void {
  if (/\\n|\n/.test(pattern.replaceAll("\\\\", "")))
    throw searchErrors.INVALID_PATTERN({
      reason: "it asks for a line break, and lines are searched one by one",
    });
  if (/\\[QECpP]?/.test(pattern) && /\\[QEC]/.test(pattern.replaceAll("\\\\", "")))
    throw searchErrors.INVALID_PATTERN({ reason: "\\Q, \\E and \\C are not known here" });
  compile(pattern, true);
}

function compile(pattern: string, caseSensitive: boolean): RE2JS {
  try {
    return RE2JS.compile(pattern, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw searchErrors.INVALID_PATTERN({ reason: error.message.slice(0, 200) }, { cause: error });
  }
}

function compileNative(pattern: string, caseSensitive: boolean): RegExp | undefined {
  try {
    return new RegExp(pattern, caseSensitive ? "u" : "iu");
  } catch {
    return undefined;
  }
}
