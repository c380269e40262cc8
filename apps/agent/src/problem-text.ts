import type { Problem } from "@postern/config";

/**
 * Writes a problem on one line, in the form that editors and terminals make a link of.
 *
 * @param problem - The problem.
 * @returns `file:line:column: message`.
 */
export function toProblemText({ file, line, column, message }: Problem): string {
  return line > 0 ? `${file}:${line}:${column}: ${message}` : message;
}
