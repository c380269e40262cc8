import { toUnresolvedText, type McpConfig, type ServerEntry } from "@postern/config";
import { exitCodes } from "../exit-code.js";
import { readServers } from "../owner-servers.js";
import { toProblemText } from "../problem-text.js";
import { readProjectServers, type ProjectServer } from "../project-servers.js";
import { toSecretNames } from "../entry-facts.js";
import type { Session } from "../session.js";
import { toVisibleLine } from "../visible-text.js";

/**
 * Lists the owner's servers and those that the project names; connects none.
 *
 * @param session - The run.
 * @returns The exit code.
 */
export async function listMcpServers(session: Session): Promise<number> {
  const config = await readServers(session);
  const project = await readProjectServers(session);
  const { printer } = session;
  const rows = [...toOwnerRows(config), ...project.map(toProjectRow)];
  printer.answer({ servers: toServersJson(config, project) }, () =>
    rows.length === 0 ? "" : printer.table(["SERVER", "STATE", "TARGET", "SECRETS"], rows),
  );
  if (rows.length === 0)
    printer.note("No servers yet. Add one with: postern mcp add NAME --command … or --url …");
  for (const { name, problems } of config.broken)
    for (const problem of problems) printer.note(`${name}: ${toProblemText(problem)}`);
  if (project.some((server) => !server.trusted))
    printer.note(
      "The project's servers are not started until you trust its postern.json: postern trust",
    );
  return exitCodes.ok;
}

function toOwnerRows({ servers, broken }: McpConfig): string[][] {
  return [
    ...Object.values(servers).map((entry) => [
      entry.name,
      toState(entry),
      toVisibleLine(toUnresolvedText(entry)),
      toSecretNames(entry).join(",") || "-",
    ]),
    ...broken.map(({ name }) => [toVisibleLine(name), "broken", "-", "-"]),
  ];
}

function toProjectRow({ name, domain, trusted, target }: ProjectServer): string[] {
  const state = trusted ? "project" : "untrusted";
  return [toVisibleLine(name), state, `${toVisibleLine(domain)}: ${toVisibleLine(target)}`, "-"];
}

function toServersJson(config: McpConfig, project: readonly ProjectServer[]): object[] {
  return [
    ...Object.values(config.servers).map((entry) => ({
      name: entry.name,
      state: toState(entry),
      transport: entry.transport.kind,
      target: toUnresolvedText(entry),
      secrets: toSecretNames(entry),
    })),
    ...config.broken.map(({ name, problems }) => ({
      name,
      state: "broken",
      problems: problems.map(toProblemText),
    })),
    ...project.map(({ name, domain, trusted, target }) => ({
      name,
      state: trusted ? "project" : "untrusted",
      domain,
      target,
    })),
  ];
}

function toState(entry: ServerEntry): string {
  return entry.disabled ? "disabled" : "enabled";
}
