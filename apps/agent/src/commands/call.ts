import { findNearest } from "@postern/config";
import type { Host } from "@postern/host";
import {
  createCallContext,
  findResultError,
  isInputRequired,
  type Ask,
  type CallOutcome,
  type JsonObject,
  type MissingServer,
} from "@postern/tool";
import { askOnTerminal } from "../ask-on-terminal.js";
import { readCallArguments } from "../call-arguments.js";
import { agentErrors } from "../errors.js";
import { exitCodes } from "../exit-code.js";
import { toResultText } from "../result-text.js";
import type { Session } from "../session.js";
import { withHost, type ViewFlags } from "../with-host.js";

/** The flags of `call`. */
export interface CallFlags extends ViewFlags {
  /** All arguments as one JSON object. */
  readonly args?: string;
  /** The longest the call may take, in seconds; 0 is no limit. */
  readonly timeout?: number;
}

/** The answer is out: a server that lingers over idle timers should not keep a script waiting. */
const closeGraceMs = 50;

/** Who calls: the person at the keyboard. */
const owner = Object.freeze({ kind: "owner", id: "owner", scopes: Object.freeze([]) } as const);

/**
 * Calls one tool, starting only the server that it can belong to.
 *
 * @param session - The run. @param call - The tool's name and the words after it. @param flags - The flags.
 * @returns The exit code.
 * @throws {PosternError} `USAGE`, `SERVER_UNREACHABLE`, or what the call was refused with.
 */
export async function callTool(
  session: Session,
  call: { readonly name: string; readonly words: readonly string[] },
  flags: CallFlags,
): Promise<number> {
  const args = await readCallArguments(call.words, flags.args);
  const needs = {
    onlyFor: call.name,
    closeGraceMs,
    ...(flags.timeout === undefined ? {} : { callTimeoutMs: Math.round(flags.timeout * 1000) }),
  };
  return withHost(session, { ...flags, ...needs }, async (host) => {
    const outcome = await readOutcome(host, { name: call.name, args }, session);
    if (outcome["isError"] === true) hintTypes(session, call.words);
    const refusal = findResultError(outcome);
    if (refusal !== undefined) {
      if (refusal.code === "UNKNOWN_TOOL") await explainUnknown(host, call.name, session);
      throw refusal;
    }
    return answerOutcome(session, outcome);
  });
}

/** `limit=2` sends text, which is what people trip over first. */
function hintTypes({ printer }: Session, words: readonly string[]): void {
  const word = words.find((candidate) =>
    /^[^=:]+=(-?\d+(\.\d+)?|true|false|null)$/.test(candidate),
  );
  if (word === undefined) return;
  printer.note(`${word.replace("=", ":=")} would send a number or a yes/no; ${word} sends text.`);
}

async function readOutcome(
  host: Host,
  { name, args }: { readonly name: string; readonly args: JsonObject },
  { signal }: Session,
): Promise<CallOutcome> {
  const asker = askOnTerminal({ input: process.stdin, output: process.stderr });
  const ask: Ask = (question) => asker(question, signal);
  const context = createCallContext({ caller: owner, signal, ask });
  const outcome = await host.tools.call({ name, arguments: args, context });
  const away =
    findResultError(outcome)?.code === "UNKNOWN_TOOL" ? findMissing(host, name) : undefined;
  // Whether the tool exists is not known: its server, the only one that was started, could not be asked.
  if (away !== undefined)
    throw agentErrors.SERVER_UNREACHABLE({ server: away.server, reason: away.reason });
  return outcome;
}

function findMissing(host: Host, name: string): MissingServer | undefined {
  const failed = new Set(
    host.servers().flatMap((state) => (state.state === "failed" ? [state.name] : [])),
  );
  return host.tools
    .missing()
    .find(({ server }) => failed.has(server) || name.startsWith(`${server}_`));
}

/** What only a person at the terminal gets to know: stdout says the same of a hidden tool and of none. */
async function explainUnknown(host: Host, name: string, { printer }: Session): Promise<void> {
  if (!printer.ownerWatches) return;
  const reason = await host.findRefusal(name);
  if (reason !== undefined) {
    printer.note(`${name} is hidden: ${reason}`);
    return;
  }
  const permitted = (await host.tools.list()).map((listing) => listing.name);
  const nearest = findNearest(name, permitted);
  if (nearest !== undefined) printer.note(`Did you mean ${nearest}?`);
}

function answerOutcome({ printer }: Session, outcome: CallOutcome): number {
  if (isInputRequired(outcome)) throw agentErrors.INPUT_NEEDED();
  if (printer.json) printer.answer(outcome, () => "");
  else printer.answerRaw(toResultText(outcome));
  return outcome.isError === true ? exitCodes.toolError : exitCodes.ok;
}
