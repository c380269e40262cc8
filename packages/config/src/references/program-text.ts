import { interpreters, wrappers, type Interpreter } from "./interpreters.js";

const maxWords = 500;

/** Where program text begins among the words of a command, and which program runs it. */
export interface ProgramText {
  /** Index of a word; it and every word after it may be run as a program. */
  readonly from: number;
  readonly program: string;
}

/**
 * Finds the words of a command that a shell or an interpreter would run as a program: `sh -c TEXT`, `node -e TEXT`,
 * also behind `env`, `npx`, `docker run` and the like, since every word that names such a program is looked at.
 *
 * @param words - The command and its arguments.
 * @returns The earliest such place; undefined where there is none.
 */
export function findProgramText(words: readonly string[]): ProgramText | undefined {
  const command = toProgramName(words[0] ?? "");
  // What starts a batch file on Windows is cmd.exe, which reads the arguments again as its own language.
  if (/\.(?:cmd|bat)$/i.test(words[0] ?? "")) return { from: 1, program: "cmd" };
  let found: ProgramText | undefined;
  for (const [index, word] of words.entries()) {
    const entrypoint = /^--entrypoint(?:=|$)/.test(word);
    const program = toProgramName(entrypoint ? word.replace(/^[^=]*=/, "") : word);
    const from = findTextStart(words, { index, program, command, entrypoint });
    if (from !== undefined && (found === undefined || from < found.from)) found = { from, program };
  }
  return found;
}

interface Candidate {
  readonly index: number;
  readonly program: string;
  readonly command: string;
  readonly entrypoint: boolean;
}

function findTextStart(words: readonly string[], candidate: Candidate): number | undefined {
  const { index, program, entrypoint } = candidate;
  // Nobody writes that many; looking at each for each would take long, so all of them count.
  if (words.length > maxWords) return interpreters.has(program) ? index + 1 : undefined;
  if (program === "powershell" || program === "pwsh") return findPowerShellText(words, candidate);
  const interpreter = interpreters.get(program);
  if (interpreter === undefined) return undefined;
  if (interpreter.onlyAsCommand === true && !isCommand(words, candidate)) return undefined;
  if (interpreter.always === true) return index + 1 < words.length ? index + 1 : undefined;
  // `docker run --entrypoint sh image -c TEXT`: the image's name stands between.
  const named = entrypoint || words[index - 1] === "--entrypoint";
  return findOption(words, index + 1, named ? { ...interpreter, anywhere: true } : interpreter);
}

function findOption(
  words: readonly string[],
  start: number,
  interpreter: Interpreter,
): number | undefined {
  for (let index = start; index < words.length; index++) {
    const word = words[index] ?? "";
    if (isCode(word, interpreter)) return index;
    // A script's address that is the script itself.
    if (/^data:/i.test(word)) return index;
    if (interpreter.codeWords?.includes(word) === true) return index + 1;
    if (word === "--" || interpreter.ends?.test(word) === true) return undefined;
    if (interpreter.valued?.test(word) === true) index += 1;
    else if (!isOption(word) && !isSkipped(word, interpreter)) return undefined;
  }
  return undefined;
}

function isSkipped(word: string, { anywhere, subcommands }: Interpreter): boolean {
  return anywhere === true || subcommands?.includes(word) === true;
}

function isOption(word: string): boolean {
  return /^[-+]./.test(word);
}

function isCode(word: string, { code, codeOptions }: Interpreter): boolean {
  if (!word.startsWith("--")) return code?.test(word) === true;
  const name = word.replace(/=.*$/s, "");
  // Long options may be abbreviated.
  return name.length > 3 && codeOptions?.some((option) => option.startsWith(name)) === true;
}

const powerShell = {
  code: /^[-/](?:c|co[a-z]*|cwa|e|ec|en[a-z]*)$/i,
  file: /^[-/]f(?:i(?:le?)?)?$/i,
  valued: /^[-/](?:ex|ep|w|v|in|o|conf|settings|psc|custom)/i,
};

/**
 * PowerShell takes text by `-Command`, `-EncodedCommand` and any beginning of them, and `powershell` also bare; `-File`
 * ends its options.
 */
function findPowerShellText(
  words: readonly string[],
  { index, program }: Candidate,
): number | undefined {
  for (let at = index + 1; at < words.length; at++) {
    const word = words[at] ?? "";
    if (powerShell.code.test(word)) return at;
    if (powerShell.file.test(word)) return undefined;
    if (powerShell.valued.test(word)) at += 1;
    else if (!/^[-/]/.test(word))
      return program === "pwsh" && /\.ps1$/i.test(word) ? undefined : at;
  }
  return undefined;
}

function isCommand(words: readonly string[], { index, command }: Candidate): boolean {
  if (index === 0) return true;
  const before = words[index - 1] ?? "";
  const leads = wrappers.has(toProgramName(before)) || /^-|=|^[0-9]/.test(before);
  return leads && wrappers.has(command);
}

/** Programs that start the program named after them without looking it up anywhere but among the machine's programs. */
const starters: ReadonlySet<string> = new Set(
  [...wrappers].filter((name) => !["uv", "bun", "npm", "pnpm", "yarn"].includes(name)),
);

/** Options of wrappers that take no value, so that a program may follow. */
const bareOption = /^(?:--|-[0ivqyEHKnS]|--(?:yes|quiet|silent|ignore-environment|null))$/;

/**
 * Finds the word that names the program which a wrapper such as `env`, `sudo` or `npx` is to start.
 *
 * @param words - The command and its arguments.
 * @returns Its index; undefined where the command is no wrapper, or where the word could be an option's value.
 */
export function findStartedProgram(words: readonly string[]): number | undefined {
  if (!starters.has(toProgramName(words[0] ?? ""))) return undefined;
  for (let index = 1; index < words.length; index++) {
    const word = words[index] ?? "";
    if (isOption(word) || /^[A-Za-z_][A-Za-z0-9_]*=|^[0-9]/.test(word)) continue;
    const before = words[index - 1] ?? "";
    if (index > 1 && isOption(before) && !bareOption.test(before)) return undefined;
    if (!starters.has(toProgramName(word))) return index;
  }
  return undefined;
}

/** `/usr/bin/python3.12`, `python.exe`, `node@lts` and `node-v20` are the programs `python`, `python`, `node` and `node`. */
function toProgramName(word: string): string {
  const name = word
    .trimEnd()
    .replace(/^.*[/\\]/s, "")
    .toLowerCase();
  return name
    .replace(/\.(?:exe|com|cmd|bat)$/, "")
    .replace(/(?<=.)@.*$/s, "")
    .replace(/-?v?[0-9]+(?:\.[0-9]+)*t?$/, "");
}
