/** A pattern in the forms that finding lines needs. */
export interface ParsedPattern {
  /** For the engine that takes linear time whatever the pattern. */
  readonly re2: string;
  /** For Node's own engine, when the pattern cannot make it try for long on a short line; else undefined. */
  readonly native: string | undefined;
  /** Text that every match holds; empty when there is none, or none that is known. */
  readonly literal: string;
  /** Whether the pattern is that text and nothing else. */
  readonly isLiteral: boolean;
}

/** What ripgrep's engine means by these, in Unicode. Node knows the same properties; RE2 has only categories. */
const classes: Readonly<Record<string, { readonly native: string; readonly re2: string }>> = {
  d: { native: "\\p{Nd}", re2: "\\p{Nd}" },
  w: {
    native: "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}",
    re2: "\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}\\x{200C}\\x{200D}",
  },
  s: { native: "\\p{White_Space}", re2: "\\t-\\r \\x{85}\\p{Z}" },
};
const word = classes["w"]?.native ?? "";
const boundary = `(?:(?<=[${word}])(?![${word}])|(?<![${word}])(?=[${word}]))`;

const maxRepeats = 1;
const maxChoices = 12;

interface State {
  re2: string;
  native: string;
  isNative: boolean;
  /** Quantifiers without an end. */
  repeats: number;
  /** Groups, options and counted repeats. */
  choices: number;
  depth: number;
  isPlain: boolean;
  /** The literal runs at the top level; a quantifier takes the last character out of its run. */
  runs: string[];
  hasTopChoice: boolean;
}

/**
 * Reads a regular expression, which is known to be one in RE2 syntax.
 *
 * @param pattern - The expression.
 * @param caseSensitive - Whether upper and lower case differ; if not, no text is known to be in every match.
 */
export function parsePattern(pattern: string, caseSensitive: boolean): ParsedPattern {
  const state: State = {
    re2: "",
    native: "",
    isNative: true,
    repeats: 0,
    choices: 0,
    depth: 0,
    isPlain: true,
    runs: [""],
    hasTopChoice: false,
  };
  for (let at = 0; at < pattern.length;) at = readToken(pattern, at, state);
  const literal = state.runs.reduce((a, b) => (b.length > a.length ? b : a), "");
  const isKnown = caseSensitive && !state.hasTopChoice && !pattern.includes("(?");
  const isSafe = state.isNative && state.repeats <= maxRepeats && state.choices <= maxChoices;
  return {
    re2: state.re2,
    native: isSafe ? state.native : undefined,
    literal: isKnown ? literal : "",
    isLiteral: isKnown && state.isPlain,
  };
}

/** Takes one token over into the state; tells where the next one begins. */
function readToken(pattern: string, at: number, state: State): number {
  const character = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
  if (character === "\\") return readEscape(pattern, at, state);
  if (character === "[") return readClass(pattern, at, state);
  const repeat = /^(?:[*+?]|\{\d+(?:,\d*)?\})/.exec(pattern.slice(at, at + 12))?.[0];
  if (repeat !== undefined) return readRepeat(pattern, at, { state, repeat });
  if ("()|^$.".includes(character)) readSign(character, pattern.slice(at, at + 2), state);
  else addLiteral(character, /[{}\]/]/.test(character) ? `\\${character}` : character, state);
  return at + character.length;
}

function addLiteral(character: string, native: string, state: State): void {
  state.re2 += /[{}\]]/.test(character) ? `\\${character}` : toRe2Literal(character, native);
  state.native += native;
  if (state.depth === 0) state.runs[state.runs.length - 1] += character;
}

function toRe2Literal(character: string, native: string): string {
  return native.startsWith("\\") && character !== "/" ? native : character;
}

function endRun(state: State): void {
  state.isPlain = false;
  if (state.runs.at(-1) !== "") state.runs.push("");
}

function readSign(sign: string, two: string, state: State): void {
  endRun(state);
  state.re2 += sign;
  state.native += sign === "(" && two !== "(?" ? "(?:" : sign;
  if (sign === "(") {
    state.depth += 1;
    state.choices += 1;
    if (two === "(?") state.isNative = false;
  } else if (sign === ")") state.depth -= 1;
  else if (sign === "|") {
    state.choices += 1;
    if (state.depth === 0) state.hasTopChoice = true;
  }
}

function readRepeat(
  pattern: string,
  at: number,
  { state, repeat }: { readonly state: State; readonly repeat: string },
): number {
  const run = state.runs.at(-1) ?? "";
  // The repeated character may be missing from a match.
  if (state.depth === 0 && run !== "")
    state.runs[state.runs.length - 1] = Array.from(run).slice(0, -1).join("");
  // A repeated group may hold repeats of its own.
  if (pattern[at - 1] === ")" && pattern[at - 2] !== "\\" && repeat !== "?") state.isNative = false;
  endRun(state);
  if (repeat === "*" || repeat === "+" || repeat.endsWith(",}")) state.repeats += 1;
  else state.choices += 1;
  if (/\d{3}/.test(repeat)) state.isNative = false;
  state.re2 += repeat;
  state.native += repeat;
  const next = at + repeat.length;
  if (pattern[next] !== "?") return next;
  state.re2 += "?";
  state.native += "?";
  return next + 1;
}

function readEscape(pattern: string, at: number, state: State): number {
  const name = pattern[at + 1] ?? "";
  const known = classes[name.toLowerCase()];
  if (known !== undefined) {
    endRun(state);
    const open = name === name.toLowerCase() ? "[" : "[^";
    state.re2 += `${open}${known.re2}]`;
    state.native += `${open}${known.native}]`;
    return at + 2;
  }
  if (name === "b") {
    endRun(state);
    state.re2 += "\\b";
    state.native += boundary;
    return at + 2;
  }
  if (/[^A-Za-z0-9\s]/.test(name) && name.charCodeAt(0) < 128) {
    addLiteral(name, /[\\^$.*+?()[\]{}|/]/.test(name) ? `\\${name}` : name, state);
    return at + 2;
  }
  endRun(state);
  state.isNative = false;
  state.re2 += `\\${name}`;
  return at + 1 + name.length;
}

/** A class is the same in both engines unless it holds classes itself. */
function readClass(pattern: string, at: number, state: State): number {
  endRun(state);
  let end = at + 1;
  if (pattern[end] === "^") end += 1;
  if (pattern[end] === "]") end += 1;
  while (end < pattern.length && pattern[end] !== "]") {
    if (pattern.startsWith("[:", end)) end = Math.max(end, pattern.indexOf(":]", end) + 1);
    end += pattern[end] === "\\" ? 2 : 1;
  }
  const inside = pattern.slice(at + 1, end);
  if (/^\^?\]|\[|&&|--|~~|\\[^dwsntr\]\\.^$*+?(){}|/-]/.test(inside)) state.isNative = false;
  const to = (form: "native" | "re2") =>
    inside.replace(/\\([\s\S])/g, (whole, name: string) => classes[name]?.[form] ?? whole);
  state.re2 += `[${to("re2")}]`;
  state.native += `[${to("native")}]`;
  return end + 1;
}
