import { poolErrors } from "../errors.js";
import type { PosternError } from "@postern/errors";
import type { ServerConfig } from "../server-config.js";

const namePattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/;
const prefixPattern = /^[A-Za-z0-9_-]{0,40}$/;

/** The prefix of a server's names. */
export function toPrefix(name: string, config: ServerConfig): string {
  return config.prefix ?? `${name}_`;
}

/**
 * Finds servers that cannot be connected whatever they answer: names or prefixes that are not allowed, targets that
 * are neither a command nor a URL, and prefixes that begin alike. A disabled server stands in nobody's way.
 *
 * @returns The problem of each such server.
 */
export function checkPrefixes(
  servers: Readonly<Record<string, ServerConfig>>,
): ReadonlyMap<string, PosternError> {
  const problems = new Map<string, PosternError>();
  for (const [name, config] of Object.entries(servers)) {
    const problem = checkServer(name, config);
    if (problem !== undefined)
      problems.set(name, poolErrors.INVALID_SERVER({ server: name.slice(0, 100), problem }));
  }
  const prefixes = Object.entries(servers)
    .filter(([name, config]) => config.disabled !== true && !problems.has(name))
    .map(([name, config]) => ({ name, prefix: toPrefix(name, config) }))
    .filter(({ prefix }) => prefix !== "");
  for (const { name, prefix } of prefixes)
    for (const other of prefixes)
      if (other.name !== name && other.prefix.startsWith(prefix)) {
        problems.set(name, poolErrors.SERVER_NAME_CLASH({ server: name, other: other.name }));
        problems.set(other.name, poolErrors.SERVER_NAME_CLASH({ server: other.name, other: name }));
      }
  return problems;
}

function checkServer(name: string, config: ServerConfig): string | undefined {
  const { command, url } = config as { command?: unknown; url?: unknown };
  if (!namePattern.test(name))
    return "a server's name is 1 to 32 letters, digits, _ or -, and begins with a letter or digit";
  if (!prefixPattern.test(toPrefix(name, config)))
    return "a prefix is at most 40 letters, digits, _ or -";
  if ((typeof command === "string") === (typeof url === "string"))
    return "it needs a command or a url, and not both";
  return undefined;
}
