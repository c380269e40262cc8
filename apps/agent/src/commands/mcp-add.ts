import {
  parseMcpConfig,
  serverNamePattern,
  type JsonObject,
  type McpConfig,
  type Problem,
  type ServerEntry,
} from "@postern/config";
import { writeServer } from "@postern/config/files";
import { checkEntry } from "../check-entry.js";
import { agentErrors } from "../errors.js";
import { exitCodes } from "../exit-code.js";
import { readServers } from "../owner-servers.js";
import { toWireEntry, type ServerFlags } from "../server-flags.js";
import type { Session } from "../session.js";

/**
 * Adds a server to `mcp.json`, or replaces the one of that name. Connects nothing.
 *
 * @param session - The run. @param name - The server. @param flags - What it is.
 * @returns The exit code.
 * @throws {PosternError} `USAGE` for what cannot be a server, `SERVER_NAME_CLASH` for a name that clashes with another's.
 */
export async function writeMcpServer(
  session: Session,
  name: string,
  flags: ServerFlags,
): Promise<number> {
  const wire = toWireEntry(flags);
  const entry = parseEntry(name, wire);
  const config = await readServers(session);
  const replaced = isKnown(config, name);
  await writeServer(session.home, { name, server: wire, replace: true });
  const advice = checkEntry(entry, session.env);
  session.printer.answer({ name, replaced, advice }, () =>
    [
      replaced ? `Replaced ${name}: its entry of before is gone.` : `Added ${name}.`,
      `Try it with: postern mcp test ${name}`,
    ].join("\n"),
  );
  for (const line of advice) session.printer.note(line);
  return exitCodes.ok;
}

function parseEntry(name: string, wire: JsonObject): ServerEntry {
  if (!serverNamePattern.test(name))
    throw agentErrors.USAGE({
      problem:
        "A server name is 1 to 32 letters, digits, _ and -, and begins with a letter or digit.",
    });
  const parsed = parseMcpConfig(JSON.stringify({ mcpServers: { [name]: wire } }), "");
  const problems = parsed.ok ? parsed.value.broken.flatMap((one) => one.problems) : parsed.problems;
  const entry = parsed.ok ? parsed.value.servers[name] : undefined;
  if (entry === undefined)
    throw agentErrors.USAGE({ problem: problems.map(toFlagProblem).join(" · ") });
  return entry;
}

function isKnown({ servers, broken }: McpConfig, name: string): boolean {
  return Object.hasOwn(servers, name) || broken.some((one) => one.name === name);
}

/** The place inside the entry that was made of the flags, and what is wrong there. */
function toFlagProblem({ path, message }: Problem): string {
  const key = path.replace(/^mcpServers(\.[^.[]+|\["[^"]*"\])\.?/, "");
  return key === "" ? message : `${key}: ${message}`;
}
