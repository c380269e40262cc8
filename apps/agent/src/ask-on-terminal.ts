import { createInterface } from "node:readline";
import { isJsonObject, type Answer, type Ask, type Question } from "@postern/tool";
import { toVisibleText } from "./visible-text.js";

/** What may be typed, and what it answers. */
interface Choice {
  readonly key: string;
  readonly answer: string;
  readonly words: string;
}

/** What the owner at the terminal may say about paths; more than a form over the wire offers. */
const pathChoices: readonly Choice[] = [
  { key: "o", answer: "once", words: "allow for this call" },
  { key: "s", answer: "session", words: "allow until this session ends" },
  { key: "a", answer: "always", words: "allow always, in this project" },
  { key: "sf", answer: "session_folder", words: "its whole folder, until this session ends" },
  { key: "af", answer: "always_folder", words: "its whole folder, always, in this project" },
  { key: "d", answer: "deny", words: "deny" },
  { key: "ds", answer: "deny_session", words: "deny until this session ends" },
];

const approvalChoices: readonly Choice[] = [
  { key: "y", answer: "allow", words: "allow this call" },
  { key: "n", answer: "deny", words: "deny" },
];

const choicesByKind: Readonly<Record<string, readonly Choice[]>> = {
  paths: pathChoices,
  approval: approvalChoices,
};

const no: Answer = Object.freeze({ action: "cancel" });

/** So often something else may be typed before it counts as no. */
const maxTries = 3;

/** The terminal that is read and written. */
export interface Terminal {
  /** Where lines are typed. */
  readonly input: NodeJS.ReadStream;
  /** Where questions are shown: not stdout, which is for the answer of the command. */
  readonly output: NodeJS.WriteStream;
}

/**
 * Asks the owner at the terminal, one question after the other. Where no person reads and types there, or the question
 * is of a kind that cannot be shown here, the answer is no.
 *
 * @param terminal - The terminal.
 * @returns Puts a question to the owner; the answer is no when the call it belongs to is given up meanwhile.
 */
export function askOnTerminal(
  terminal: Terminal,
): (question: Question, signal: AbortSignal) => ReturnType<Ask> {
  let last: Promise<unknown> = Promise.resolve();
  return (question, signal) => {
    const choices = findChoices(question);
    if (choices === undefined || !terminal.input.isTTY || !terminal.output.isTTY)
      return Promise.resolve(no);
    const answer = last.then(() => ask(terminal, { question, choices, signal }));
    last = answer.catch(() => undefined);
    return answer;
  };
}

function findChoices({ to, details }: Question): readonly Choice[] | undefined {
  const kind = isJsonObject(details) ? details["kind"] : undefined;
  if (to !== "owner" || typeof kind !== "string") return undefined;
  return Object.hasOwn(choicesByKind, kind) ? choicesByKind[kind] : undefined;
}

interface Asked {
  readonly question: Question;
  readonly choices: readonly Choice[];
  readonly signal: AbortSignal;
}

async function ask({ input, output }: Terminal, asked: Asked): Promise<Answer> {
  const { question, choices, signal } = asked;
  const lines = choices.map(({ key, words }) => `  ${key.padEnd(2)}  ${words}\n`);
  output.write(`\n${toVisibleText(question.message)}\n${lines.join("")}`);
  for (let tries = 0; tries < maxTries; tries += 1) {
    output.write(`Answer (${choices.map(({ key }) => key).join(", ")}): `);
    const line = await readLine(input, signal);
    if (line === undefined) break;
    const typed = line.trim().toLowerCase();
    const choice = choices.find(({ key, answer }) => typed === key || typed === answer);
    if (choice !== undefined) return { action: "accept", content: { answer: choice.answer } };
  }
  output.write("Taken as no.\n");
  return no;
}

/** Undefined at the end of the input, and when the call is given up. */
async function readLine(
  input: NodeJS.ReadStream,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  // Not as a terminal: Ctrl-C then stays a signal, which the session turns into the exit code.
  const lines = createInterface({ input, terminal: false });
  try {
    return await new Promise((resolve) => {
      const end = (): void => resolve(undefined);
      lines.once("line", resolve);
      lines.once("close", end);
      signal.addEventListener("abort", end, { once: true });
    });
  } finally {
    lines.close();
  }
}
