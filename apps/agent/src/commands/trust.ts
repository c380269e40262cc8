import { deleteTrust, findProjectFile, writeTrust } from "@postern/config/files";
import { agentErrors } from "../errors.js";
import { exitCodes } from "../exit-code.js";
import { readYes } from "../read-yes.js";
import type { Session } from "../session.js";
import { readTrustQuestion, toTrustQuestionText, type TrustQuestion } from "../trust-question.js";
import { toVisibleLine } from "../visible-text.js";

/** The flags of `trust`. */
export interface TrustFlags {
  /** Show, and ask nothing. */
  readonly list?: boolean;
  readonly remove?: boolean;
  /** The digest that was shown before. */
  readonly yes?: string;
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
  const question = await readTrustQuestion(session, file);
  if (flags.yes !== undefined) return answerYes(session, question, flags.yes);
  printer.answer(question, () => toTrustQuestionText(question));
  if (printer.json || flags.list === true || question.state === "trusted") return exitCodes.ok;
  // Who does not see stdout has not seen what would be trusted.
  if (!printer.terminal) throw toNobody(question);
  if (!(await readYes("Trust this file? [y/N] ", session.signal, toNobody(question))))
    throw agentErrors.NOT_TRUSTED();
  return answerYes(session, question, question.sha256);
}

function toNobody({ sha256 }: TrustQuestion): Error {
  return agentErrors.USAGE({
    problem: `Trusting takes a person at a terminal. Where you have read the above, say so with: postern trust --yes ${sha256}`,
  });
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
