import { updateServer } from "@postern/config/files";
import { exitCodes } from "../exit-code.js";
import { findServer, readServers } from "../owner-servers.js";
import type { Session } from "../session.js";

/**
 * Turns a server on or off; everything else about it stays as it is in the file.
 *
 * @param session - The run. @param name - The server. @param disabled - Off.
 * @returns The exit code.
 * @throws {PosternError} `UNKNOWN_SERVER`.
 */
export async function updateDisabled(
  session: Session,
  name: string,
  disabled: boolean,
): Promise<number> {
  findServer(await readServers(session), name);
  await updateServer(session.home, name, ({ disabled: _off, enabled: _on, ...rest }) =>
    disabled ? { ...rest, disabled: true } : rest,
  );
  session.printer.answer({ name, disabled }, () =>
    disabled
      ? `${name} is off: it stays in the list and is not connected.`
      : `${name} is on. Try it with: postern mcp test ${name}`,
  );
  return exitCodes.ok;
}
