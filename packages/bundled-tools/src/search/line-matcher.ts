import { compileProgram } from "./pattern/compile-program.js";
import { findLiteral } from "./pattern/find-literal.js";
import { findKinds } from "./pattern/find-kinds.js";
import { createLineScanner, type LineScanner } from "./pattern/line-scanner.js";
import { parsePattern } from "./pattern/parse-pattern.js";
import { toRipgrep } from "./pattern/to-ripgrep.js";

/** Finds lines; of one search alone, since it keeps in mind where it is. */
export interface LineFinder {
  /** Bytes that every matching line holds; undefined when none are known. */
  readonly literal: Buffer | undefined;
  /** Whether a line that holds them matches for sure. */
  readonly isLiteral: boolean;
  /** Finds lines, in time that grows with their length. */
  readonly scanner: LineScanner;
}

/** What a pattern means, for each way to look for it. */
export interface LineMatcher {
  createFinder(): LineFinder;
  /** The same pattern for ripgrep. */
  readonly ripgrep: string;
}

/**
 * Makes a matcher.
 *
 * @param pattern - In RE2 syntax.
 * @param caseSensitive - Whether upper and lower case differ.
 * @throws {PosternError} `INVALID_PATTERN`
 */
export function createLineMatcher(pattern: string, caseSensitive: boolean): LineMatcher {
  const node = parsePattern(pattern, caseSensitive);
  const { text, isWhole } = findLiteral(node);
  const program = compileProgram(node);
  const kinds = findKinds(program);
  return {
    createFinder: () => ({
      literal: text === "" ? undefined : Buffer.from(text, "utf8"),
      isLiteral: isWhole,
      scanner: createLineScanner(program, kinds),
    }),
    ripgrep: toRipgrep(node),
  };
}
