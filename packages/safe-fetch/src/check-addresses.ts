import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { isReachable } from "./allow-list.js";
import { safeFetchErrors } from "./errors.js";
import type { Target } from "./parse-target.js";
import type { SafeFetchOptions } from "./types.js";

/**
 * Asks the system's resolver, hosts file included, for all addresses of a name.
 *
 * @param host - The name.
 * @returns The addresses, as the system orders them.
 */
async function resolveHost(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

/**
 * Resolves a target's host, once, and checks every address.
 *
 * @param target - Where a request goes.
 * @param options - Names and what the owner opened.
 * @returns The addresses, at least one, of which each may be connected to.
 * @throws {PosternError} `HOST_UNKNOWN`; `ADDRESS_REFUSED` when any address is refused: a name with a public and a
 *   private address is how a check is got round, and which one would be taken is up to the network.
 */
export async function readCheckedAddresses(
  target: Target,
  options: SafeFetchOptions,
): Promise<readonly string[]> {
  const { host } = target;
  const addresses = isIP(host) === 0 ? await readAddresses(host, options) : [host];
  if (addresses.length === 0) throw safeFetchErrors.HOST_UNKNOWN({ host });
  const allowHosts = options.allowHosts?.() ?? [];
  if (!addresses.every((address) => isReachable(target, address, allowHosts)))
    throw safeFetchErrors.ADDRESS_REFUSED({ host });
  return addresses;
}

async function readAddresses(
  host: string,
  { resolve = resolveHost }: SafeFetchOptions,
): Promise<readonly string[]> {
  try {
    return await resolve(host);
  } catch (cause) {
    throw safeFetchErrors.HOST_UNKNOWN({ host }, { cause });
  }
}
