import { findNearest, type McpConfig, type ServerEntry } from "@postern/config";
import { readMcpFile } from "@postern/config/files";
import { agentErrors } from "./errors.js";
import { toProblemText } from "./problem-text.js";
import type { Session } from "./session.js";

/**
 * Reads the owner's `mcp.json`, and names on stderr what in it does not count.
 *
 * @param session - The run.
 * @returns Its servers; none when there is no file.
 * @throws {PosternError} `INVALID_FILE` with every problem, when the file as a whole cannot be read.
 */
export async function readServers({ home, printer }: Session): Promise<McpConfig> {
  const parsed = await readMcpFile(home);
  if (!parsed.ok) throw agentErrors.INVALID_FILE({ problems: parsed.problems.map(toProblemText) });
  for (const warning of parsed.warnings) printer.note(toProblemText(warning));
  return parsed.value;
}

/**
 * Finds whether a name is in the file, also as an entry with problems.
 *
 * @param config - The servers. @param name - The name.
 * @returns The entry; undefined for one with problems.
 * @throws {PosternError} `UNKNOWN_SERVER`, with the nearest name.
 */
export function findServer(config: McpConfig, name: string): ServerEntry | undefined {
  if (Object.hasOwn(config.servers, name)) return config.servers[name];
  const broken = config.broken.map((one) => one.name);
  if (broken.includes(name)) return undefined;
  const nearest = findNearest(name, [...Object.keys(config.servers), ...broken]);
  throw agentErrors.UNKNOWN_SERVER({ name, ...(nearest === undefined ? {} : { nearest }) });
}
