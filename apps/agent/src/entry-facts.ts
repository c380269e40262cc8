import { toUnresolvedText, type ServerEntry } from "@postern/config";

/**
 * Names what an entry passes to its server that may be secret; never a value.
 *
 * @param entry - The entry.
 * @returns Names of its variables or headers, and of the variable its token comes from.
 */
export function toSecretNames({ transport }: ServerEntry): readonly string[] {
  if (transport.kind === "stdio") return Object.keys(transport.env).toSorted();
  const token = transport.tokenEnv === undefined ? [] : [`token from ${transport.tokenEnv}`];
  return [...Object.keys(transport.headers).toSorted(), ...token];
}

/**
 * Describes an entry, unresolved, with secrets masked.
 *
 * @param entry - The entry.
 * @returns Name and value of each thing that is set; the same for people and for `--json`.
 */
export function toFacts(entry: ServerEntry): Readonly<Record<string, unknown>> {
  const { transport } = entry;
  const facts = {
    name: entry.name,
    state: entry.disabled ? "disabled" : "enabled",
    transport: transport.kind,
    target: toUnresolvedText(entry),
    [transport.kind === "stdio" ? "env" : "headers"]: Object.keys(
      transport.kind === "stdio" ? transport.env : transport.headers,
    ),
    token_env: transport.kind === "http" ? transport.tokenEnv : undefined,
    cwd: transport.kind === "stdio" ? transport.cwd : undefined,
    protocol: entry.protocol,
    prefix: entry.prefix ?? `${entry.name}_`,
    connect_timeout: toSeconds(entry.connectTimeoutMs),
    catalog_timeout: toSeconds(entry.catalogTimeoutMs),
    call_timeout: toSeconds(entry.callTimeoutMs),
    include_tags: entry.includeTags,
    exclude_tags: entry.excludeTags,
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

function toSeconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}
