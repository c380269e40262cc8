import type { Listing, ToolRule } from "@postern/tool";

/**
 * Gives the listings that a rule allows.
 *
 * @param listings - The listings; left as they are.
 * @param rule - The rule.
 * @returns A frozen list, in the same order.
 */
export function permitted(listings: readonly Listing[], rule: ToolRule): readonly Listing[] {
  return Object.freeze(listings.filter((listing) => rule(listing).allow));
}
