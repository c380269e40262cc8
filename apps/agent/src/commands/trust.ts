import { narrowUntrusted, type Widening } from "@postern/config";
import {
  deleteTrust,
  findProjectFile,
  readPosternFile,
  readSettings,
  readTrust,
  writeTrust,
  type Trust,
} from "@postern/config/files";
import { agentErrors } from "../errors.js";
import { exitCodes } from "../exit-code.js";
import { toProblemText } from "../problem-text.js";
import { readProjectServers, type ProjectServer } from "../project-servers.js";
import { readYes } from "../read-yes.js";
import type { Session } from "../session.js";
import { toVisibleLine } from "../visible-text.js";

/** The flags of `trust`. */
export interface TrustFlags {
  /** Show, and ask nothing. */
  readonly list?: boolean;
  readonly remove?: boolean;
  /** The digest that was shown before. */
  readonly yes?: string;
}

/** What trusting would mean, as it is shown. */
interface TrustQuestion {
  readonly file: string;
  readonly sha256: string;
  readonly state: Trust;
  /** What would be started or contacted. */
  readonly servers: readonly ProjectServer[];
  /** Which settings would do more than the owner's. */
  readonly widened: readonly Widening[];
}

/**
 * Shows what the project's file would do if trusted, asks, and keeps the answer with the file's digest.
 *
 * @param session - The run. @param flags - The flags.
 * @returns The exit code.
 * @throws {PosternError} `NO_PROJECT_FILE`, `INVALID_FILE`, `NOT_TRUSTED`, `USAGE` with nobody to ask,
 * `TRUST_CHANGED` when the file is not the one of the digest.
 */
export async function updateTrust(session: Session, flags: TrustFlags): Promise<number> {
  const { home, project, printer } = session;
  const file = await findProjectFile(project);
  if (file === undefined) throw agentErrors.NO_PROJECT_FILE({ directory: project });
  if (flags.remove === true) {
    const removed = await deleteTrust(home, file);
    printer.answer({ file, removed }, () =>
      removed ? `${toVisibleLine(file)} is trusted no longer.` : "It was not trusted.",
    );
    return exitCodes.ok;
  }
  const question = await readQuestion(session, file);
  if (flags.yes !== undefined) return answerYes(session, question, flags.yes);
  printer.answer(question, () => toQuestionText(question));
  if (printer.json || flags.list === true || question.state === "trusted") return exitCodes.ok;
  if (!(await readYes("Trust this file? [y/N] ", session.signal, toNobody(question))))
    throw agentErrors.NOT_TRUSTED();
  return answerYes(session, question, question.sha256);
}

function toNobody({ sha256 }: TrustQuestion): Error {
  return agentErrors.USAGE({
    problem: `Trusting takes a person at a terminal. Where you have read the above, say so with: postern trust --yes ${sha256}`,
  });
}

async function readQuestion(session: Session, path: string): Promise<TrustQuestion> {
  const [file, settings] = await Promise.all([readPosternFile(path), readSettings(session.home)]);
  if (file === undefined) throw agentErrors.NO_PROJECT_FILE({ directory: session.project });
  if (!file.parsed.ok || file.sha256 === undefined)
    throw agentErrors.INVALID_FILE({
      problems: file.parsed.ok
        ? [`${path} cannot be read.`]
        : file.parsed.problems.map(toProblemText),
    });
  if (!settings.ok)
    throw agentErrors.INVALID_FILE({ problems: settings.problems.map(toProblemText) });
  return {
    file: file.path,
    sha256: file.sha256,
    state: await readTrust(session.home, file.path, file.sha256),
    servers: await readProjectServers(session),
    widened: narrowUntrusted(file.parsed.value, settings.value).widened,
  };
}

/** Every line of it is what the file says, unresolved and escaped: what is not shown is not approved. */
function toQuestionText({ file, sha256, state, servers, widened }: TrustQuestion): string {
  const states = {
    trusted: "It is trusted.",
    changed: "It was trusted and has changed since: it may only narrow until you trust it again.",
    untrusted: "It is not trusted: it may only narrow.",
  };
  const started = servers.map(
    ({ domain, name, target }) =>
      `  ${toVisibleLine(domain)}/${toVisibleLine(name)}: ${toVisibleLine(target)}`,
  );
  const changes = widened.map(
    ({ path, from, to }) =>
      `  ${toVisibleLine(path)}: ${toVisibleLine(from)} -> ${toVisibleLine(to)}`,
  );
  return [
    `File    ${toVisibleLine(file)}`,
    `SHA-256 ${sha256}`,
    states[state],
    ...(started.length === 0 ? [] : ["Trusted, it starts or contacts:", ...started]),
    ...(changes.length === 0
      ? ["Trusted, it widens no setting of yours."]
      : ["Trusted, it widens your settings:", ...changes]),
  ].join("\n");
}

async function answerYes(
  { home, printer }: Session,
  { file }: TrustQuestion,
  sha256: string,
): Promise<number> {
  await writeTrust(home, file, sha256);
  printer.answer({ file, sha256, state: "trusted" }, () => `Trusted ${toVisibleLine(file)}.`);
  return exitCodes.ok;
}
