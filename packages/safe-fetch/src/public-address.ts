import ipaddr from "ipaddr.js";

/** The only block of IPv6 from which global unicast addresses are given out (RFC 4291 §2.4, IANA registry). */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * What lies in that block and is no host on the internet, or leads to an IPv4 address that nobody checked: protocol
 * assignments with Teredo, ORCHID and benchmarking, documentation, 6to4.
 */
const notPublic = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
);

/** What an owner may open by a name: the ranges of private networks, and never those of machines' own services. */
const privateRanges: ReadonlySet<string> = new Set([
  "loopback",
  "private",
  "carrierGradeNat",
  "uniqueLocal",
]);

/**
 * Tells whether an address is a public unicast one.
 *
 * An IPv4 address in IPv6 clothes (mapped, compatible, NAT64, 6to4, Teredo) never is: it would lead to wherever the
 * inner address leads.
 *
 * @param address - An IPv4 or IPv6 address as text, as a resolver gives it.
 * @returns False for everything else, and for what is no address.
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed === undefined) return false;
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === "unicast";
  // A zone names a link of this machine, so the address cannot be meant globally.
  if (parsed.zoneId !== undefined && parsed.zoneId !== "") return false;
  return (
    parsed.range() === "unicast" &&
    parsed.match(globalUnicast) &&
    !notPublic.some((range) => parsed.match(range))
  );
}

/**
 * Tells whether an address is of a private network, so that an owner may open it by the name of a host.
 *
 * @param address - An address as text.
 * @returns False for link-local ones: a name must never lead to the metadata service of a cloud.
 */
export function isPrivateNetworkAddress(address: string): boolean {
  const parsed = parseAddress(address);
  return parsed !== undefined && privateRanges.has(parsed.range());
}

/**
 * Tells whether two texts are the same address.
 *
 * @param one - An address.
 * @param other - Another.
 * @returns False when either is no address.
 */
export function isSameAddress(one: string, other: string): boolean {
  const parsed = parseAddress(one)?.toNormalizedString();
  return parsed !== undefined && parsed === parseAddress(other)?.toNormalizedString();
}

/** Strictly four decimal parts for IPv4: what a resolver means by `010.1.1.1` depends on the resolver. */
function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address);
  return ipaddr.IPv6.isValid(address) ? ipaddr.IPv6.parse(address) : undefined;
}
