import type { Listing } from "./listing.js";

/** What a rule says of one listing. The reason is for the owner: callers and models never get it. */
export type Decision =
  | { readonly allow: true }
  | { readonly allow: false; readonly reason: string };

/**
 * Decides on one listing. The same decision hides a thing and refuses its use, so what is hidden is never callable.
 * A rule is a pure function: the same listing gets the same decision for as long as the rule is in use.
 */
export type ToolRule = (listing: Listing) => Decision;

/** The decision that allows. */
export const allowed: Decision = Object.freeze({ allow: true });

/**
 * Builds the decision that refuses.
 *
 * @param reason - Why, in a few words for the owner, for instance `read_only: annotated destructive`.
 * @returns The decision, frozen.
 */
export function refused(reason: string): Decision {
  return Object.freeze({ allow: false, reason });
}
