import { policyErrors } from "./errors.js";

/**
 * Asserts that an option is a list of non-empty strings. A bare string would otherwise be read letter by letter, and an
 * exclude list of letters excludes nothing.
 *
 * @param option - The option's name, for the message.
 * @param values - What was given.
 * @throws {PosternError} `INVALID_RULE`
 */
export function assertStrings(
  option: string,
  values: unknown,
): asserts values is readonly string[] | undefined {
  if (values === undefined) return;
  if (!Array.isArray(values))
    throw policyErrors.INVALID_RULE({ option, problem: "it must be a list of strings" });
  if (!values.every((value) => typeof value === "string" && value !== ""))
    throw policyErrors.INVALID_RULE({ option, problem: "each entry must be a non-empty string" });
}
