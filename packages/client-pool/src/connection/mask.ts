import type { ServerConfig } from "../server-config.js";

/** Replaces what must not be shown. */
export type Mask = (text: string) => string;

const hidden = "***";

/**
 * Builds the mask of a server: what the owner configured as a value never stands in a reason, also when the server
 * itself printed it. Environment values, headers and the secrets of a URL always count; an argument counts unless it
 * looks like an option, a path or a package, which reasons such as "cannot find module" need.
 *
 * @param configs - The configuration as written, and as resolved for a connection.
 * @returns The mask.
 */
export function createMask(...configs: readonly ServerConfig[]): Mask {
  const values = new Set(configs.flatMap(toValues).filter((value) => value.length >= 4));
  // Longest first, so that a value inside another does not leave the other's rest.
  const ordered = [...values].toSorted((a, b) => b.length - a.length);
  return (text) => ordered.reduce((masked, value) => masked.replaceAll(value, hidden), text);
}

function toValues(config: ServerConfig): readonly string[] {
  if ("url" in config)
    return [...Object.values(config.headers ?? {}).flatMap(toParts), ...toUrlValues(config.url)];
  const args = (config.args ?? []).flatMap((arg) => {
    const at = arg.startsWith("-") ? arg.indexOf("=") : 0;
    return at < 0 ? [] : [arg.slice(at).replace(/^=/, "")];
  });
  return [...Object.values(config.env ?? {}), ...args.filter((value) => !isPlain(value))];
}

/** A header such as `Bearer TOKEN` is secret as a whole and in its parts. */
function toParts(value: string): readonly string[] {
  return [value, ...value.split(/\s+/).filter((part) => part.length >= 8)];
}

function toUrlValues(text: string): readonly string[] {
  if (!URL.canParse(text)) return [text];
  const url = new URL(text);
  return [url.username, url.password, url.search.slice(1), ...url.searchParams.values()];
}

function isPlain(value: string): boolean {
  return (
    /^(\.{0,2}\/|~|[A-Za-z]:\\|@[\w.-]+\/|-)/.test(value) || /^[\w-]+\.[cm]?[jt]s$/.test(value)
  );
}
