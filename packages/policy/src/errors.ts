import { defineErrors } from "@postern/errors";

/**
 * Quotes what was given, so that messages and data stay one short line whatever it holds.
 *
 * @param given - Anything.
 * @returns The text in quotes, at most 60 characters of it, or the type of what is no text.
 */
export function toShown(given: unknown): string {
  if (typeof given !== "string") return given === null ? "null" : `a value of type ${typeof given}`;
  const short = given.length > 60 ? `${given.slice(0, 59)}…` : given;
  return JSON.stringify(short).replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** What a rule throws when it is made with wrong options. Rules themselves never throw. */
export const policyErrors = defineErrors({
  UNKNOWN_ACCESS_LEVEL: ({ level }: { level: string }) =>
    `The access level must be "full" or "read_only", written exactly so; it is ${level}.`,
  INVALID_RULE: ({ option, problem }: { option: string; problem: string }) =>
    `The rule's option ${toShown(option)} is not usable: ${problem}.`,
});
