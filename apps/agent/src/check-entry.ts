import { expandServer, toUnresolvedText, type ServerEntry } from "@postern/config";

/** Stands in unresolved text where a secret was. */
const mask = "***";

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

function checkArguments(entry: ServerEntry): readonly string[] {
  const { transport } = entry;
  if (transport.kind !== "stdio") return [];
  const { args } = transport;
  const shown = toUnresolvedText({
    ...entry,
    transport: { kind: "stdio", command: "", args, env: {} },
  });
  // What lists would mask is what a process listing must not show.
  if (!shown.includes(mask) || args.some((arg) => arg.includes(mask))) return [];
  return [
    "An argument looks like a secret, and arguments are visible to other users of this machine. If the server can read it from a variable, pass it with --env NAME=VALUE, or --env NAME={env:NAME} to keep it out of mcp.json.",
  ];
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
