import { expandServer, toUnresolvedText, type ServerEntry } from "@postern/config";

const reference = /\{env:[^}]*\}/g;

/**
 * Checks that no credential would go out readable.
 *
 * @param entry - The entry, unresolved.
 * @returns What is wrong; undefined when nothing is.
 */
export function checkCredential({ transport }: ServerEntry): string | undefined {
  if (transport.kind !== "http") return undefined;
  const { url, headers, tokenEnv } = transport;
  const address = URL.canParse(url.replaceAll(reference, "x"))
    ? new URL(url.replaceAll(reference, "x"))
    : undefined;
  if (address?.protocol !== "http:" || isLoopback(address.hostname)) return undefined;
  const carries =
    tokenEnv !== undefined ||
    Object.keys(headers).length > 0 ||
    url.includes("{env:") ||
    address.username !== "" ||
    address.password !== "";
  return carries
    ? "A credential would go out over plain http, readable on the way. Use https, or a loopback address."
    : undefined;
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/**
 * Checks an entry for what works and is still worth knowing.
 *
 * @param entry - The entry, unresolved. @param env - The environment of now.
 * @returns Advice, one sentence or two each; holds no value.
 */
export function checkEntry(
  entry: ServerEntry,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const expanded = expandServer(entry, env);
  return [
    ...checkArguments(entry),
    ...checkPackage(entry),
    ...(expanded.ok ? [] : expanded.problems.map(({ message }) => message)),
  ];
}

function checkArguments({ transport }: ServerEntry): readonly string[] {
  return [];
}

/** A runner that fetches a package starts whatever was published last: a new program every day. */
function checkPackage({ transport }: ServerEntry): readonly string[] {
  if (transport.kind !== "stdio") return [];
  const runner = transport.command.replace(/^.*[/\\]/, "").replace(/\.(cmd|exe)$/i, "");
  if (!["npx", "bunx", "uvx"].includes(runner)) return [];
  const named = findPackage(transport.args);
  if (named === undefined || isPinned(named)) return [];
  return [
    `${runner} starts the newest ${named} every time, which may be another program tomorrow. Pin it with --arg ${named}@VERSION`,
  ];
}

function findPackage(args: readonly string[]): string | undefined {
  for (const [index, arg] of args.entries()) {
    if (arg === "-p" || arg === "--package" || arg === "--from") return args[index + 1];
    const [, named] = /^--(?:package|from)=(.+)$/.exec(arg) ?? [];
    if (named !== undefined) return named;
    if (!arg.startsWith("-")) return arg;
  }
  return undefined;
}

function isPinned(named: string): boolean {
  // A path, an address or a reference is not a name of the registry.
  if (/^[./~]|:|\{/.test(named)) return true;
  const version = /^@?[^@]+@(.+)$/.exec(named)?.[1] ?? /==(.+)$/.exec(named)?.[1];
  return version !== undefined && /\d/.test(version);
}
