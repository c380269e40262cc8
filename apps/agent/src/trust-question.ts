import { narrowUntrusted, type Widening } from "@postern/config";
import { readPosternFile, readSettings, readTrust, type Trust } from "@postern/config/files";
import { agentErrors } from "./errors.js";
import { toProblemText } from "./problem-text.js";
import { toProjectServers, type ProjectServer } from "./project-servers.js";
import type { Session } from "./session.js";
import { toVisibleLine } from "./visible-text.js";

/** What trusting would mean, as it is shown. */
export interface TrustQuestion {
  /** The real path of the project's file. */
  readonly file: string;
  /** The digest of what was read. */
  readonly sha256: string;
  /** Whether the owner trusts that content now. */
  readonly state: Trust;
  /** What would be started or contacted. */
  readonly servers: readonly ProjectServer[];
  /** Which settings would do more than the owner's. */
  readonly widened: readonly Widening[];
}

/**
 * Reads the project's file and what it would do if trusted.
 *
 * @param session - The run. @param path - The file.
 * @returns What is to be shown.
 * @throws {PosternError} `NO_PROJECT_FILE`, `INVALID_FILE`.
 */
export async function readTrustQuestion(session: Session, path: string): Promise<TrustQuestion> {
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
  const state = await readTrust(session.home, file.path, file.sha256);
  return {
    file: file.path,
    sha256: file.sha256,
    state,
    // Of the very reading that the digest is of: what is shown is what would be trusted.
    servers: toProjectServers(file.parsed.value, state === "trusted"),
    widened: narrowUntrusted(file.parsed.value, settings.value).widened,
  };
}

/**
 * Writes it for a person. Every line is what the file says, unresolved and escaped: what is not shown is not approved.
 *
 * @param question - What was read.
 * @returns The text.
 */
export function toTrustQuestionText({
  file,
  sha256,
  state,
  servers,
  widened,
}: TrustQuestion): string {
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
