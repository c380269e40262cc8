import { isIP } from "node:net";
import { isPrivateNetworkAddress, isPublicAddress } from "./public-address.js";
import { parseTarget, type Target } from "./parse-target.js";

const entryForm = /^(?<host>\[[^\]]+\]|[^:[\]]+)(?::(?<port>\d{1,5}))?$/;

/**
 * Tells whether a target may be reached at an address.
 *
 * @param target - Where a request goes.
 * @param address - One address that its host resolved to.
 * @param allowHosts - What the owner opened: "host" or "host:port".
 * @returns True for a public unicast address; for an opened name, also for one of a private network; for an opened
 *   literal address, for exactly that one. Another name that resolves to the same address stays refused.
 */
export function isReachable(
  target: Target,
  address: string,
  allowHosts: readonly string[],
): boolean {
  if (isPublicAddress(address)) return true;
  if (!allowHosts.some((entry) => isAllowedBy(entry, target))) return false;
  return isIP(target.host) !== 0 || isPrivateNetworkAddress(address);
}

function isAllowedBy(entry: string, { host, port }: Target): boolean {
  const trimmed = entry.trim();
  const { host: name, port: only } =
    entryForm.exec(isIP(trimmed) === 6 ? `[${trimmed}]` : trimmed)?.groups ?? {};
  if (name === undefined || (only !== undefined && Number(only) !== port)) return false;
  // The same parser as for the request, so that both spell the host alike.
  const parsed = parseTarget(`http://${name}/`);
  return parsed.ok && parsed.target.host === host;
}
