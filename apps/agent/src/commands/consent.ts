import { resolve } from "node:path";
import { openConsents } from "@postern/host";
import { agentErrors } from "../errors.js";
import { exitCodes } from "../exit-code.js";
import type { Session } from "../session.js";
import { toVisibleLine } from "../visible-text.js";

/**
 * Lists what the owner allowed always in this project.
 *
 * @param session - The run.
 * @returns The exit code.
 * @throws {PosternError} `CONSENTS_BROKEN`, or what the file cannot be read for.
 */
export async function listConsents({ home, project, printer }: Session): Promise<number> {
  const { root, store } = await openConsents(home, project);
  const consents = await store.list();
  printer.answer({ root, consents }, () =>
    consents.length === 0
      ? `Nothing is allowed beyond ${toVisibleLine(root)}.`
      : printer.table(
          ["PATH", "COVERS", "ASKED FOR", "SINCE"],
          consents.map(({ path, covers, tool, at }) => [
            toVisibleLine(path),
            covers === "folder" ? "folder with all below" : "file",
            toVisibleLine(tool),
            new Date(at).toISOString(),
          ]),
        ),
  );
  return exitCodes.ok;
}

/**
 * Takes back what was allowed for a path.
 *
 * @param session - The run. @param path - The path, as the list shows it, or relative to the working directory.
 * @returns The exit code.
 * @throws {PosternError} `NO_CONSENT` where nothing was allowed for it; `CONSENTS_BROKEN`.
 */
export async function revokeConsent(
  { home, project, printer }: Session,
  path: string,
): Promise<number> {
  const { store } = await openConsents(home, project);
  const wasAllowed = (await store.revoke(path)) || (await store.revoke(resolve(project, path)));
  if (!wasAllowed) throw agentErrors.NO_CONSENT({ path });
  printer.answer({ revoked: path }, () => `Revoked: ${toVisibleLine(path)} is asked for again.`);
  return exitCodes.ok;
}
