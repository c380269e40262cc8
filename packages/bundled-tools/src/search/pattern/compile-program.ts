import { toUnion, type CodeSet } from "./code-set.js";
import { refuse } from "./cursor.js";
import type { Node } from "./parse-pattern.js";

/** One step of a program; the numbers are steps. */
export type Step =
  | { readonly kind: "take"; readonly set: number; readonly next: number }
  | { kind: "fork"; one: number; other: number }
  | { readonly kind: "start" | "end" | "boundary" | "inner"; readonly next: number }
  | { readonly kind: "match" };

/** A pattern as steps that can be followed all at once. */
export interface Program {
  readonly steps: readonly Step[];
  /** Where to begin. */
  readonly first: number;
  /** What the steps take. */
  readonly sets: readonly CodeSet[];
  /** Whether it asks for edges of words. */
  readonly hasWords: boolean;
}

const tooLarge = (): Error => refuse("it is too large once its repeats are written out");

/** Counted repeats of repeats multiply. */
const maxSteps = 20_000;

/**
 * Turns a pattern into steps, from its end to its beginning, so that each knows the next.
 *
 * @throws {PosternError} `INVALID_PATTERN` for one that has too many.
 */
export function compileProgram(node: Node): Program {
  const steps: Step[] = [{ kind: "match" }];
  const sets = new Map<string, { readonly set: CodeSet; readonly index: number }>();
  const add = (step: Step): number => {
    if (steps.length >= maxSteps) throw tooLarge();
    return steps.push(step) - 1;
  };
  const indexOf = (set: CodeSet): number => {
    const key = set.join();
    const known = sets.get(key) ?? { set, index: sets.size };
    sets.set(key, known);
    return known.index;
  };
  let visits = 0;
  const visit = (part: Node, next: number): number => {
    visits += 1;
    // Repeats of nothing make no steps, but take their time.
    if (visits > 4 * maxSteps) throw tooLarge();
    if (part.kind === "set") return add({ kind: "take", set: indexOf(part.set), next });
    if (part.kind === "all")
      return part.parts.reduceRight((after, each) => visit(each, after), next);
    if (part.kind === "any")
      return part.parts
        .map((each) => visit(each, next))
        .reduceRight((other, one) => add({ kind: "fork", one, other }));
    if (part.kind === "repeat") return repeat(part, next);
    return add({ kind: part.kind, next });
  };
  const repeat = (part: Extract<Node, { kind: "repeat" }>, next: number): number => {
    let after = next;
    if (part.max === Infinity) {
      const loop: Step = { kind: "fork", one: next, other: next };
      after = add(loop);
      loop.one = visit(part.part, after);
    } else
      for (let count = part.min; count < part.max; count += 1)
        after = add({ kind: "fork", one: visit(part.part, after), other: next });
    for (let count = 0; count < part.min; count += 1) after = visit(part.part, after);
    return after;
  };
  const first = visit(node, 0);
  const hasWords = steps.some(({ kind }) => kind === "boundary" || kind === "inner");
  return { steps, first, sets: Array.from(sets.values(), ({ set }) => toUnion([set])), hasWords };
}
