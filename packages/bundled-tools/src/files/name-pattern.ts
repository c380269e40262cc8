/** One step of a pattern: a run of anything, or a test of one character. */
type Step = "run" | ((character: string) => boolean);

/** More alternatives than anybody writes; braces multiply. */
const maxAlternatives = 64;

/**
 * Makes a test of entry names from space-separated globs: `*`, `?`, `[a-z]`, `[!a-z]` and `{one,two}`. A leading dot
 * is a character like any other.
 *
 * It takes time in proportion to pattern times name. A glob turned into a regular expression does not: a model's
 * `*a*a*a*a*b` would stop the whole server for a minute on one long name.
 *
 * @param patterns - The globs; blank matches nothing.
 * @returns True for a name that at least one of them matches.
 */
export function byNamePattern(patterns: string): (name: string) => boolean {
  const globs = patterns
    .split(/\s+/)
    .filter((glob) => glob !== "")
    .flatMap((glob) => toAlternatives(glob))
    .slice(0, maxAlternatives);
  if (globs.includes("*")) return () => true;
  const compiled = globs.map(toSteps);
  return (name) => {
    const characters = Array.from(name);
    return compiled.some((steps) => isMatch(steps, characters));
  };
}

/** Writes out the last innermost pair of braces, and then those of every outcome. */
export function toAlternatives(glob: string): readonly string[] {
  const pending = [glob];
  const done: string[] = [];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const parts = /^(?<before>.*)\{(?<inside>[^{}]*,[^{}]*)\}(?<after>.*)$/su.exec(next)?.groups;
    if (parts === undefined) done.push(next);
    else
      for (const choice of (parts["inside"] ?? "").split(",").toReversed())
        pending.push(`${parts["before"]}${choice}${parts["after"]}`);
    if (done.length + pending.length > maxAlternatives) return [...done, ...pending];
  }
  return done;
}

function toSteps(glob: string): readonly Step[] {
  const characters = Array.from(glob);
  const steps: Step[] = [];
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index];
    const end = character === "[" ? findClassEnd(characters, index) : -1;
    if (end > 0) {
      steps.push(toClass(characters.slice(index + 1, end)));
      index = end;
    } else if (character === "*") steps.push("run");
    else if (character === "?") steps.push(() => true);
    else steps.push((candidate) => candidate === character);
  }
  return steps;
}

/** Where a bracket that opens at `start` closes; a bracket right after it is one of its characters. */
function findClassEnd(characters: readonly string[], start: number): number {
  const negated = characters[start + 1] === "!" || characters[start + 1] === "^";
  return characters.indexOf("]", start + (negated ? 3 : 2));
}

function toClass(inside: readonly string[]): (character: string) => boolean {
  const negated = inside[0] === "!" || inside[0] === "^";
  const members = negated ? inside.slice(1) : inside;
  const ranges: (readonly [string, string])[] = [];
  for (let index = 0; index < members.length; index += 1) {
    const from = members[index] ?? "";
    const isRange = members[index + 1] === "-" && index + 2 < members.length;
    ranges.push([from, isRange ? (members[index + 2] ?? "") : from]);
    if (isRange) index += 2;
  }
  return (character) =>
    ranges.some(([from, to]) => from <= character && character <= to) !== negated;
}

/** On a mismatch only the last run may grow, which is enough for globs and never tries a combination twice. */
function isMatch(steps: readonly Step[], name: readonly string[]): boolean {
  let step = 0;
  let at = 0;
  let run = -1;
  let runAt = 0;
  while (at < name.length) {
    const test = steps[step];
    if (test === "run") {
      run = step;
      runAt = at;
      step += 1;
    } else if (test?.(name[at] ?? "") === true) {
      step += 1;
      at += 1;
    } else if (run >= 0) {
      step = run + 1;
      runAt += 1;
      at = runAt;
    } else return false;
  }
  return steps.slice(step).every((rest) => rest === "run");
}
