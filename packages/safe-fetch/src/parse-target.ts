import { badPorts } from "./bad-ports.js";

/** Where a request goes. */
export interface Target {
  /** The URL, as the WHATWG standard spells it. */
  readonly url: URL;
  /** A name in lower case, or an address without brackets. */
  readonly host: string;
  readonly port: number;
}

/** What a text is: a target, or what is wrong with it. */
export type ParsedTarget =
  | { readonly ok: true; readonly target: Target }
  | { readonly ok: false; readonly problem: string };

/**
 * Parses a URL that a stranger chose.
 *
 * The WHATWG parser settles what its host means (decimal, octal, hex and short addresses, other digits and dots), so
 * that all later steps see one spelling.
 *
 * @param url - Absolute; or relative to `base`.
 * @param base - What a redirect came from.
 * @returns The target: http or https, no user name or password, and no port of another protocol.
 */
export function parseTarget(url: string | URL, base?: URL): ParsedTarget {
  const text = String(url);
  if (!URL.canParse(text, base?.href)) return { ok: false, problem: "it is not an absolute URL" };
  const parsed = new URL(text, base?.href);
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:")
    return { ok: false, problem: "only http and https are fetched" };
  // `https://good.example@evil.example/` reads as the one and goes to the other.
  if (parsed.username !== "" || parsed.password !== "")
    return { ok: false, problem: "it holds a user name or password" };
  const port = Number(parsed.port || (parsed.protocol === "https:" ? 443 : 80));
  if (badPorts.has(port))
    return { ok: false, problem: `port ${port} belongs to another protocol than HTTP` };
  return { ok: true, target: { url: parsed, host: toHost(parsed.hostname), port } };
}

/** The host without the brackets of IPv6 and without the dot of the root. */
function toHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}
