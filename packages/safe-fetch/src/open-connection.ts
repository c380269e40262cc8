import { isIP, type LookupFunction } from "node:net";
import { buildConnector, Client } from "undici";
import { safeFetchErrors } from "./errors.js";
import type { Target } from "./parse-target.js";
import { isSameAddress } from "./public-address.js";

/**
 * Makes a connection of its own for one hop, to addresses that were checked and to no other.
 *
 * The name is not resolved again: between a check and a second look-up its owner could give another answer. Proxy
 * variables of the environment are not read: a proxy would resolve the name itself.
 *
 * @param target - Where it goes.
 * @param addresses - The checked addresses of its host.
 * @param timeoutMs - How long connecting may take.
 * @returns The connection, not open yet.
 */
export function openConnection(
  target: Target,
  addresses: readonly string[],
  timeoutMs: number,
): Client {
  const connect = buildConnector({ timeout: timeoutMs, lookup: toLookup(addresses) });
  return new Client(toOrigin(target), {
    // The deadline of the whole fetch is the only clock.
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 1,
    connect: (options, callback) => {
      connect(options, (...result) => {
        const [error, socket] = result;
        const { remoteAddress = "" } = socket ?? {};
        // Whatever happened in between: nothing is sent to an address that was not checked.
        if (error === null && !addresses.some((checked) => isSameAddress(checked, remoteAddress))) {
          socket.destroy();
          callback(safeFetchErrors.ADDRESS_REFUSED({ host: target.host }), null);
          return;
        }
        callback(...result);
      });
    },
  });
}

/** A look-up that only knows what was checked. */
function toLookup(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    if (options.all === true) callback(null, found);
    else callback(null, found[0]?.address ?? "", found[0]?.family);
  };
}

/** Without the dot of the root, with which no certificate would match. */
function toOrigin({ url, host, port }: Target): string {
  return `${url.protocol}//${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}
