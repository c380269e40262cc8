/** A command of a shell text, cut into its words without quotes. */
export interface ShellCommand {
  readonly words: readonly string[];
  /** Its place in a pipeline: 0 for the first or only one. */
  readonly stage: number;
  /** Which pipeline of the text it belongs to. */
  readonly pipeline: number;
  /** Where its output goes, by `>`. */
  readonly outputs: readonly string[];
  /** Whether it is given something to read, by `<`, `<<` or `<<<`. */
  readonly hasInput: boolean;
}

/** Programs that run the rest of their words. */
const wrappers = new Set(
  "sudo doas env nice nohup time timeout stdbuf setsid ionice command builtin exec xargs busybox watch chroot unbuffer strace".split(
    " ",
  ),
);
const shells = /^(?:ba|z|da|k|a|fi)?sh$/;
const maxDepth = 6;
const maxLength = 100_000;

/**
 * Cuts a shell text into its commands, also those in `$(…)`, backticks, groups, `sh -c "…"` and `eval`. It is no parser: it
 * sees through quotes, escapes, `$IFS` and line ends that are none, and takes more for a command than there is.
 *
 * @param text - The text; only its first 100,000 characters are looked at.
 * @param depth - How deep it is nested.
 * @returns The commands, wrappers such as `sudo` taken off into commands of their own.
 */
export function findShellCommands(text: string, depth = 0): readonly ShellCommand[] {
  const found: ShellCommand[] = [];
  for (const command of cut(text.slice(0, maxLength))) {
    found.push(command);
    const inner = unwrap(command.words);
    if (inner !== command.words) found.push({ ...command, words: inner });
    if (depth >= maxDepth) continue;
    for (const script of findScripts(inner))
      for (const nested of findShellCommands(script, depth + 1))
        found.push({ ...nested, pipeline: nested.pipeline + (found.length + 1) * 1_000 });
  }
  return found;
}

/** The program's own name. */
export function toProgram(word: string | undefined): string {
  return (word ?? "").slice((word ?? "").lastIndexOf("/") + 1);
}

function unwrap(words: readonly string[]): readonly string[] {
  let at = 0;
  for (;;) {
    while (/^\w+=/.test(words[at] ?? "")) at += 1;
    if (!wrappers.has(toProgram(words[at]))) break;
    at += 1;
    while (/^-|^\w+=|^\d+(?:\.\d+)?[smhd]?$/.test(words[at] ?? "")) at += 1;
  }
  return at === 0 ? words : words.slice(at);
}

function findScripts(words: readonly string[]): readonly string[] {
  const program = toProgram(words[0]);
  if (program === "eval") return [words.slice(1).join(" ")];
  const isRunner =
    shells.test(program) ||
    /^(?:su|ssh|script|flock|parallel|trap|find|git|npx|npm)$/.test(program);
  return isRunner ? words.slice(1).filter((word) => /\s/.test(word)) : [];
}

interface Cutting {
  words: string[];
  word: string | undefined;
  outputs: string[];
  hasInput: boolean;
  stage: number;
  pipeline: number;
  /** What the next word is. */
  next: "word" | "output" | "input";
}

const begin = (): Cutting => ({
  words: [],
  word: undefined,
  outputs: [],
  hasInput: false,
  stage: 0,
  pipeline: 0,
  next: "word",
});

function cut(source: string): readonly ShellCommand[] {
  const text = source.replaceAll(/\\\r?\n/g, "").replaceAll(/\$\{?IFS\}?/g, " ");
  const found: ShellCommand[] = [];
  const state = begin();
  let at = 0;
  while (at < text.length) at += take(text, at, { state, found });
  endCommand(state, found, false);
  return found;
}

interface Taking {
  readonly state: Cutting;
  readonly found: ShellCommand[];
}

/** Takes what stands at a place; returns how long it is. */
function take(text: string, at: number, { state, found }: Taking): number {
  const character = text[at] ?? "";
  if (character === "'") return takeQuoted(text, at, state);
  if (character === '"') return takeQuoted(text, at, state);
  if (character === "\\") {
    state.word = (state.word ?? "") + (text[at + 1] ?? "");
    return 2;
  }
  if (/[\n;&(){}`]/.test(character) || text.startsWith("$(", at)) {
    // `2>&1` and `&>` are redirections.
    if (character === "&" && (text[at + 1] === ">" || text[at - 1] === ">")) return 1;
    if (character === "{" || character === "}")
      if (!/^[\s;]?$/.test(text[at + 1] ?? "") || state.word !== undefined)
        return append(state, character);
    endCommand(state, found, false);
    return text.startsWith("$(", at) ? 2 : 1;
  }
  if (character === "|") {
    endCommand(state, found, text[at + 1] !== "|");
    return text[at + 1] === "|" || text[at + 1] === "&" ? 2 : 1;
  }
  if (character === ">" || character === "<") {
    if (/^\d?$/.test(state.word ?? "")) state.word = undefined;
    endWord(state);
    const length = /^[<>]+[|&]?/.exec(text.slice(at, at + 4))?.[0].length ?? 1;
    // `<(…)` is a command.
    if (text[at + 1] === "(") return 1;
    state.next = character === ">" ? "output" : "input";
    return length;
  }
  if (character === "#" && state.word === undefined)
    return (text.slice(at).indexOf("\n") + 1 || text.length - at + 1) - 1 || 1;
  if (/\s/.test(character)) {
    endWord(state);
    return 1;
  }
  return append(state, character);
}

function append(state: Cutting, text: string): number {
  state.word = (state.word ?? "") + text;
  return text.length;
}

function takeQuoted(text: string, at: number, state: Cutting): number {
  const quote = text[at] ?? "";
  let end = at + 1;
  let inner = "";
  while (end < text.length && text[end] !== quote) {
    if (quote === '"' && text[end] === "\\") end += 1;
    inner += text[end] ?? "";
    end += 1;
  }
  state.word = (state.word ?? "") + inner;
  return end + 1 - at;
}

function endWord(state: Cutting): void {
  if (state.word === undefined) return;
  if (state.next === "word") state.words.push(state.word);
  else if (state.next === "output") state.outputs.push(state.word);
  else state.hasInput = true;
  state.next = "word";
  state.word = undefined;
}

function endCommand(state: Cutting, found: ShellCommand[], isPiped: boolean): void {
  endWord(state);
  const { words, outputs, hasInput, stage, pipeline } = state;
  if (words.length > 0 || outputs.length > 0)
    found.push({ words, outputs, hasInput, stage, pipeline });
  state.words = [];
  state.outputs = [];
  state.hasInput = false;
  state.next = "word";
  state.stage = isPiped ? stage + 1 : 0;
  state.pipeline = isPiped ? pipeline : pipeline + 1;
}
