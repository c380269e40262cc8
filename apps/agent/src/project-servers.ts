import type { DomainServer, PosternConfig } from "@postern/config";
import { toUnresolvedText } from "@postern/config";
import { findProjectFile, readPosternFile, readTrust } from "@postern/config/files";
import { toProblemText } from "./problem-text.js";
import type { Session } from "./session.js";

/** A server that the project's `postern.json` names. */
export interface ProjectServer {
  readonly name: string;
  readonly domain: string;
  /** `untrusted` ones are listed, never started. */
  readonly trusted: boolean;
  /** What would be started, unresolved and masked. */
  readonly target: string;
}

/**
 * Reads which servers the project's file names.
 *
 * @param session - The run.
 * @returns Them, in the order of the file; none without a file, or with one that cannot be read (named on stderr).
 */
export async function readProjectServers(session: Session): Promise<readonly ProjectServer[]> {
  const path = await findProjectFile(session.project);
  const file = path === undefined ? undefined : await readPosternFile(path);
  if (file === undefined) return [];
  if (!file.parsed.ok) {
    for (const problem of file.parsed.problems) session.printer.note(toProblemText(problem));
    return [];
  }
  const trust = await readTrust(session.home, file.path, file.sha256);
  return toProjectServers(file.parsed.value, trust === "trusted");
}

/**
 * Lists the servers of all domains of a project's file.
 *
 * @param config - One reading of the file. @param trusted - Whether the owner trusts that reading.
 * @returns Them, in the order of the file.
 */
export function toProjectServers(
  { domains }: PosternConfig,
  trusted: boolean,
): readonly ProjectServer[] {
  return Object.entries(domains).flatMap(([domain, { servers }]) =>
    Object.values(servers).map((server) => ({
      name: server.name,
      domain,
      trusted,
      target: toTarget(server),
    })),
  );
}

function toTarget(server: DomainServer): string {
  if (server.kind === "declared") return toUnresolvedText(server.entry);
  return server.kind === "use" ? `{ "use": ${JSON.stringify(server.use)} }` : server.text;
}
