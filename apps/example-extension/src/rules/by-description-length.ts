import { allowed, refused, type ToolRule } from "@postern/tool";
import { assertLimit } from "../errors.js";

/**
 * Hides what describes itself at length: a description is read by the model with every request, and a long one costs,
 * and is where instructions hide.
 *
 * @param options - `maxCharacters`: the longest description that is exposed.
 * @returns The rule. Reason: `description: 5120 characters, at most 2000`.
 * @throws {PosternError} `INVALID_LIMIT`
 */
export function byDescriptionLength(options: { readonly maxCharacters: number }): ToolRule {
  const { maxCharacters } = options;
  assertLimit("maxCharacters", maxCharacters);
  return ({ raw }) => {
    const { description } = raw;
    const length = typeof description === "string" ? description.length : 0;
    return length <= maxCharacters
      ? allowed
      : refused(`description: ${length} characters, at most ${maxCharacters}`);
  };
}
