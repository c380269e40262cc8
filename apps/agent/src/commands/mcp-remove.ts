import { deleteServer } from "@postern/config/files";
import { exitCodes } from "../exit-code.js";
import { findServer, readServers } from "../owner-servers.js";
import type { Session } from "../session.js";

/**
 * Takes a server out of `mcp.json`, also one whose entry has problems.
 *
 * @param session - The run. @param name - The server.
 * @returns The exit code.
 * @throws {PosternError} `UNKNOWN_SERVER`.
 */
export async function deleteMcpServer(session: Session, name: string): Promise<number> {
  findServer(await readServers(session), name);
  const removed = await deleteServer(session.home, name);
  session.printer.answer({ name, removed }, () => `Removed ${name}.`);
  return exitCodes.ok;
}
