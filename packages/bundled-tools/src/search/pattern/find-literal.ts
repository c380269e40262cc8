import type { Node } from "./parse-pattern.js";

/** Text that every match holds. */
export interface Literal {
  /** Empty when none is known. */
  readonly text: string;
  /** Whether a line that holds it matches for sure. */
  readonly isWhole: boolean;
}

const minLength = 3;

/** Finds the longest text that every match holds: most files lack it, and need not be looked at any closer. */
export function findLiteral(node: Node): Literal {
  const runs = [""];
  let isWhole = true;
  const visit = (part: Node): void => {
    if (part.kind === "all") {
      for (const each of part.parts) visit(each);
      return;
    }
    if (part.kind === "set" && part.set.length === 2 && part.set[0] === part.set[1]) {
      runs[runs.length - 1] += String.fromCodePoint(part.set[0] ?? 0);
      return;
    }
    isWhole = false;
    runs.push("");
    if (part.kind === "repeat" && part.min > 0) {
      visit(part.part);
      runs.push("");
    }
  };
  visit(node);
  const text = runs.reduce((longest, run) => (run.length > longest.length ? run : longest), "");
  // A blank or a short word is on most lines, so that looking for it first saves nothing.
  if (!isWhole && text.length < minLength) return { text: "", isWhole: false };
  return { text, isWhole: isWhole && text !== "" };
}
