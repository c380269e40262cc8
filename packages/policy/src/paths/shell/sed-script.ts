/**
 * Tells whether a sed script only edits what it is given: no `r`, `R`, `w`, `W`, `e` and no flag of `s` that writes or
 * runs.
 *
 * @param script - The script.
 * @returns False also for what is not understood.
 */
export function isPlainSed(script: string): boolean {
  let rest = script;
  for (let steps = 0; rest !== "" && steps < 1_000; steps += 1) {
    const next = skipCommand(rest.replace(/^[\s;{}]+/, ""));
    if (next === undefined) return false;
    rest = next;
  }
  return rest === "";
}

const address = /^(?:\d+(?:~\d+)?|\$|\/(?:[^/\\\n]|\\.)*\/I?)/;

/** What follows the first command; undefined when that is none of the plain ones. */
function skipCommand(script: string): string | undefined {
  let rest = script;
  const first = address.exec(rest);
  if (first !== null) {
    rest = rest.slice(first[0].length);
    const second = /^,\s*[+~]?/.exec(rest);
    if (second !== null) {
      rest = rest.slice(second[0].length);
      rest = rest.slice(address.exec(rest)?.[0].length ?? 0);
    }
  }
  rest = rest.replace(/^\s*!?\s*/, "");
  if (rest === "") return first === null ? "" : undefined;
  if (/^[sy]/.test(rest)) return skipSubstitution(rest);
  if (/^[aic]/.test(rest)) return rest.replace(/^[aic](?:\\\n|[^\n\\]|\\.)*/, "");
  if (/^[bt:lqQ]/.test(rest)) return rest.slice(1).replace(/^[^\S\n]*[\w-]*[^\S\n]*/, "");
  return /^[pdnNDPhHgGx=zF{}]/.test(rest) ? rest.slice(1) : undefined;
}

function skipSubstitution(script: string): string | undefined {
  const mark = script[1] ?? "";
  if (mark === "" || /[\w\s\\]/.test(mark)) return undefined;
  let at = 2;
  for (let parts = 0; parts < 2; at += 1) {
    const character = script[at];
    if (character === undefined) return undefined;
    if (character === "\\") at += 1;
    else if (character === mark) parts += 1;
  }
  const flags = /^[gpiIM\d]*/.exec(script.slice(at))?.[0] ?? "";
  const rest = script.slice(at + flags.length);
  return rest === "" || /^[\s;}]/.test(rest) ? rest : undefined;
}
