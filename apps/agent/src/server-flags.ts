import type { JsonObject, JsonValue } from "@postern/config";
import { agentErrors } from "./errors.js";

/** The flags of `mcp add`, as typed. */
export interface ServerFlags {
  readonly command?: string;
  readonly arg?: readonly string[];
  readonly env?: readonly string[];
  readonly cwd?: string;
  readonly url?: string;
  readonly tokenEnv?: string;
  readonly header?: readonly string[];
  readonly connectTimeout?: number;
  readonly catalogTimeout?: number;
  readonly callTimeout?: number;
  readonly includeTags?: readonly string[];
  readonly excludeTags?: readonly string[];
  readonly protocol?: string;
  readonly prefix?: string;
}

const usage = (problem: string): Error => agentErrors.USAGE({ problem });
const variablePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;
const headerPattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Turns flags into an entry as `mcp.json` spells it.
 *
 * @param flags - The flags.
 * @returns The entry; what is not set is left out.
 * @throws {PosternError} `USAGE`. A pair is named by its position only: it may hold a secret.
 */
export function toWireEntry(flags: ServerFlags): JsonObject {
  if ((flags.command === undefined) === (flags.url === undefined))
    throw usage("Give either --command (a program to start) or --url (an endpoint).");
  const target = flags.command === undefined ? toHttpTarget(flags) : toStdioTarget(flags);
  const settings = {
    protocol: flags.protocol,
    prefix: flags.prefix,
    connect_timeout: flags.connectTimeout,
    catalog_timeout: flags.catalogTimeout,
    call_timeout: flags.callTimeout,
    include_tags: flags.includeTags,
    exclude_tags: flags.excludeTags,
  };
  return withoutUnset({ ...target, ...settings });
}

function toStdioTarget({ command = "", arg, env, cwd, tokenEnv, header }: ServerFlags): JsonObject {
  if (tokenEnv !== undefined || header !== undefined)
    throw usage("--token-env and --header go with --url; a command gets its secrets by --env.");
  if (command === "" || command.startsWith("-"))
    throw usage("--command takes the name or path of a program.");
  return withoutUnset({
    command,
    args: arg,
    env: env === undefined ? undefined : parsePairs(env, "--env", variablePattern),
    cwd,
  });
}

function toHttpTarget({ url = "", arg, env, cwd, tokenEnv, header }: ServerFlags): JsonObject {
  if (arg !== undefined || env !== undefined || cwd !== undefined)
    throw usage(
      "--arg, --env and --cwd go with --command; an endpoint gets --header or --token-env.",
    );
  if (url === "" || url.startsWith("-")) throw usage("--url takes an http or https address.");
  if (tokenEnv !== undefined && !variablePattern.test(tokenEnv))
    throw usage("--token-env takes the name of an environment variable, not the token itself.");
  return withoutUnset({
    url,
    headers: header === undefined ? undefined : parsePairs(header, "--header", headerPattern),
    token_env: tokenEnv,
  });
}

function parsePairs(pairs: readonly string[], flag: string, name: RegExp): JsonObject {
  const entries = new Map<string, string>();
  for (const [index, pair] of pairs.entries()) {
    const place = `${flag} number ${index + 1}`;
    const at = pair.indexOf("=");
    const key = pair.slice(0, at).trim();
    if (at < 0) throw usage(`${place} has no "=": write ${flag} NAME=VALUE.`);
    if (!name.test(key)) throw usage(`${place} has no valid name before its "=".`);
    if (entries.has(key)) throw usage(`${place} sets a name that was set before.`);
    entries.set(key, pair.slice(at + 1));
  }
  return Object.fromEntries(entries);
}

function withoutUnset(entry: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(entry).filter(
      (member): member is [string, JsonValue] => member[1] !== undefined,
    ),
  );
}
