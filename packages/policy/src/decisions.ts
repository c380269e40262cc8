import { refused, type Decision } from "@postern/tool";

/**
 * Builds a refusal to be given again and again: frozen, so that no holder can change it for the others.
 *
 * @param reason - Why, in a few words for the owner.
 * @returns The decision.
 */
export function createRefusal(reason: string): Decision {
  return Object.freeze(refused(reason));
}
