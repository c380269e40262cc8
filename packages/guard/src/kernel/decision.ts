/** What follows from a rule, from the mildest to the most severe. `block` can be lifted by nobody. */
export const decisions = ["allow", "warn", "review", "block"] as const;

/** One of them. */
export type Decision = (typeof decisions)[number];

/**
 * Compares decisions.
 *
 * @param a - One. @param b - The other.
 * @returns The more severe one.
 */
export function toStricter(a: Decision, b: Decision): Decision {
  return decisions.indexOf(a) >= decisions.indexOf(b) ? a : b;
}
