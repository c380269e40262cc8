import { forEachChild, parse, type Command, type SyntaxNode, type Word } from "unbash";
import { findWordText, findWordTexts } from "./shell-word.js";
import { findTextWords, isStream, isSystemProgram } from "./shell/text-words.js";
import { findWordPaths } from "./word-paths.js";

/** A path that a shell command mentions. */
export interface CommandPath {
  /** The word as it is written. */
  readonly raw: string;
  /** Where it leads, from where the command starts; `~` is the home folder. */
  readonly path: string;
}

const shells = /^(?:.*\/)?(?:ba|z|da|k|a|fi)?sh$/;
const nestedScript = /^-[A-Za-z]*c$/;

/** Scripts within scripts, and characters, beyond which a command is only cut at its blanks. */
const maxDepth = 8;
const maxLength = 100_000;

/**
 * Finds the paths that a shell command mentions: words, redirections, assignments, options with a value, and the same
 * in nested commands (`$(…)`, `sh -c "…"`, `eval`). Follows `cd` and what the command itself assigns.
 *
 * Every word counts that may be a file's name. What a program makes of its arguments, or reads from elsewhere, cannot
 * be seen.
 *
 * @param command - In the language of Bash or POSIX `sh`. What cannot be parsed is cut at its blanks as well.
 * @param from - The directory that it starts in. Default: that of the tool.
 * @returns The paths, without duplicates, in the order of the command.
 */
export function findCommandPaths(command: string, from = ""): readonly CommandPath[] {
  const found = new Map<string, CommandPath>();
  readScript(command, {
    found,
    depth: 0,
    state: { from, mayFail: command.includes("||"), variables: new Map() },
  });
  return [...found.values()];
}

interface State {
  from: string;
  /** Whether a command may run though the one before it failed. */
  mayFail: boolean;
  readonly variables: Map<string, string>;
}

interface Reading {
  readonly found: Map<string, CommandPath>;
  readonly depth: number;
  readonly state: State;
}

function readScript(script: string, reading: Reading): void {
  if (reading.depth > maxDepth || script.length > maxLength) return cutAtBlanks(script, reading);
  try {
    const parsed = parse(script);
    visit(parsed, reading);
    if ((parsed.errors?.length ?? 0) > 0) cutAtBlanks(script, reading);
  } catch {
    // Nested beyond the stack: whoever writes that must not get past the gate by it.
    cutAtBlanks(script, reading);
  }
}

/** Takes more for paths than there are, and misses none that stands there as it is. */
function cutAtBlanks(script: string, reading: Reading): void {
  const words = [/[\s;|&<>()`"']+/, /[\s;|&<>()`"'\\]+/].flatMap((blanks) => script.split(blanks));
  for (const word of new Set(words))
    for (const path of findWordPaths(word)) addPath(word, path, reading);
}

/** What is changed in there is not changed out here. */
const ownState: ReadonlySet<string> = new Set([
  "Subshell",
  "CommandExpansion",
  "ProcessSubstitution",
  "Pipeline",
]);

function visit(node: SyntaxNode, reading: Reading): void {
  if (node.type === "Command") return visitCommand(node, reading);
  if (node.type === "HereString" || node.type === "HereDoc") return visitExpansions(node, reading);
  if (node.type === "Word") {
    takeWord(node, reading);
    // Most words have nothing in them.
    if (node.parts === undefined) return;
  }
  if (node.type === "Assignment" && node.value.type === "Word")
    assign(node.name, node.value, reading);
  const isApart = ownState.has(node.type);
  visitChildren(node, isApart ? { ...reading, state: copyState(reading.state) } : reading);
}

function visitChildren(node: SyntaxNode, reading: Reading): void {
  forEachChild(node, (child) => visit(child, reading));
}

/** Text for a program: no path, but commands in it run. */
function visitExpansions(node: SyntaxNode, reading: Reading): void {
  if (node.type === "CommandExpansion") return visit(node, reading);
  forEachChild(node, (child) => visitExpansions(child, reading));
}

function copyState({ from, mayFail, variables }: State): State {
  return { from, mayFail, variables: new Map(variables) };
}

function assign(name: string, value: Word, { state }: Reading): void {
  const text = findWordText(value, state.variables);
  if (text === undefined) state.variables.delete(name);
  else state.variables.set(name, text);
}

function visitCommand(command: Command, reading: Reading): void {
  const { name, args, redirects } = command;
  const { variables } = reading.state;
  const words = [...(name ? [name] : []), ...args.filter((arg) => arg.type === "Word")];
  const texts = words.map((word) => findWordText(word, variables));
  const scripts = words.filter((_, at) => isScript(texts, at));
  const plain = findTextWords(texts);
  forEachChild(command, (child) => {
    const isNoPath =
      (child === name && isProgramName(texts[0])) ||
      (child.type === "Word" && plain.has(words.indexOf(child)));
    if (child.type === "Word" && (isNoPath || scripts.includes(child)))
      visitExpansions(child, reading);
    else visit(child, reading);
  });
  changeDirectory(texts, reading);
  const deeper = { ...reading, depth: reading.depth + 1 };
  const inner = { ...deeper, state: copyState(reading.state) };
  for (const script of scripts) readScript(findWordText(script, variables) ?? script.value, inner);
  if (texts[0] === "eval") readScript(texts.slice(1).join(" "), deeper);
  if (!hasShell(texts)) return;
  for (const each of redirects) {
    if (each.type === "HereDoc") readScript(each.body.text, inner);
    if (each.type === "HereString" && each.target !== undefined)
      readScript(findWordText(each.target, variables) ?? each.target.value, inner);
  }
}

/** Without a slash it is looked for in PATH. */
function isProgramName(text: string | undefined): boolean {
  return text !== undefined && (!text.includes("/") || isSystemProgram(text));
}

type Texts = readonly (string | undefined)[];

/** What follows `-c` of a shell. */
function isScript(texts: Texts, at: number): boolean {
  return nestedScript.test(texts[at - 1] ?? "") && hasShell(texts.slice(0, at - 1));
}

/** Also behind another program: `sudo sh`, `xargs bash`, `env -i sh`. */
function hasShell(texts: Texts): boolean {
  return texts.some((text) => text !== undefined && shells.test(text));
}

function changeDirectory(texts: Texts, reading: Reading): void {
  const { state } = reading;
  const [program, ...args] = texts;
  if (program !== "cd" && program !== "pushd") return;
  const target = args.find((arg) => arg === undefined || !/^-[A-Za-z@]*$/.test(arg));
  if (args.includes("-")) return;
  // `cd a || cd ..`: where the one before fails, this one begins where that did.
  if (reading.state.mayFail && target?.includes("..") === true && !reading.found.has(target))
    reading.found.set(target, { raw: target, path: target });
  // What comes next may name nothing, and list the home folder.
  if (target === undefined) addPath(program, "~", reading);
  state.from = toJoined(state.from, target ?? "~");
}

function takeWord(word: Word, reading: Reading): void {
  for (const text of findWordTexts(word, reading.state.variables))
    for (const path of findWordPaths(text)) addPath(word.text, path, reading);
}

function addPath(raw: string, path: string, { found, state }: Reading): void {
  if (isStream(path)) return;
  const whole = toJoined(state.from, path);
  if (!found.has(whole)) found.set(whole, { raw, path: whole });
}

function toJoined(from: string, path: string): string {
  const isAbsolute = /^(?:[/~\\]|[A-Za-z]:[\\/])/.test(path);
  return isAbsolute || from === "" ? path : `${from}/${path}`;
}
