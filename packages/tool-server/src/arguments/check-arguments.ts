import type { PosternError } from "@postern/errors";
import { isJsonObject, toolErrors, type JsonObject, type Listing } from "@postern/tool";
import { describeProblems } from "./describe-problems.js";
import { checkValue } from "./run-schema.js";

/**
 * Checks arguments against a tool's input schema, in bounded work whoever wrote the schema. What cannot be checked
 * passes: the check helps a model to call well, the tool itself is the judge.
 *
 * @param listing - The tool.
 * @param args - The arguments.
 * @returns `INVALID_ARGUMENTS` saying what to correct; undefined when nothing is wrong.
 */
export function checkArguments(listing: Listing, args: JsonObject): PosternError | undefined {
  const schema = listing.raw["inputSchema"];
  if (!isJsonObject(schema)) return undefined;
  const checked = checkValue(schema, args);
  if (checked === undefined || checked.valid) return undefined;
  return toolErrors.INVALID_ARGUMENTS({ problems: describeProblems(checked.errors, schema) });
}
