import { toFacts } from "../entry-facts.js";
import { agentErrors } from "../errors.js";
import { exitCodes } from "../exit-code.js";
import { findServer, readServers } from "../owner-servers.js";
import { toProblemText } from "../problem-text.js";
import type { Session } from "../session.js";
import { toVisibleLine } from "../visible-text.js";

/**
 * Shows one server of `mcp.json`: every setting, unresolved, no secret value.
 *
 * @param session - The run. @param name - The server.
 * @returns The exit code.
 * @throws {PosternError} `UNKNOWN_SERVER`; `INVALID_ENTRY` with the problems of one that cannot be used.
 */
export async function showMcpServer(session: Session, name: string): Promise<number> {
  const config = await readServers(session);
  const entry = findServer(config, name);
  if (entry === undefined) {
    const broken = config.broken.find((one) => one.name === name);
    throw agentErrors.INVALID_ENTRY({ problems: (broken?.problems ?? []).map(toProblemText) });
  }
  const facts = toFacts(entry);
  session.printer.answer(facts, () => {
    const width = Math.max(...Object.keys(facts).map((key) => key.length));
    return Object.entries(facts)
      .map(([key, value]) => `${key.padEnd(width)}  ${toText(value)}`)
      .join("\n");
  });
  return exitCodes.ok;
}

function toText(value: unknown): string {
  const text = Array.isArray(value) ? value.join(", ") : String(value);
  return text === "" ? "-" : toVisibleLine(text);
}
