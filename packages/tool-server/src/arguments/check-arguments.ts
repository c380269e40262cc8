import { validate } from "@cfworker/json-schema";
import type { PosternError } from "@postern/errors";
import { isJsonObject, toolErrors, type JsonObject, type Listing } from "@postern/tool";
import { describeProblems } from "./describe-problems.js";
import { prepareSchema, type PreparedSchema } from "./prepare-schema.js";

interface Kept {
  readonly schema: JsonObject;
  readonly prepared: PreparedSchema;
}

/** Prepared when a tool is first called; undefined for a schema that cannot be run. */
const kept = new WeakMap<Listing, Kept | undefined>();

/**
 * Checks arguments against a tool's input schema, in bounded work whoever wrote the schema. What cannot be checked
 * passes: the check helps a model to call well, the tool itself is the judge.
 *
 * @param listing - The tool.
 * @param args - The arguments.
 * @returns `INVALID_ARGUMENTS` saying what to correct; undefined when nothing is wrong.
 */
export function checkArguments(listing: Listing, args: JsonObject): PosternError | undefined {
  const known = kept.has(listing) ? kept.get(listing) : keep(listing);
  if (known === undefined) return undefined;
  const { schema, draft, lookup, budget } = known.prepared;
  try {
    budget.reset();
    const result = validate(args, schema, draft, lookup, false);
    if (result.valid) return undefined;
    const problems = describeProblems(result.errors, known.schema);
    return toolErrors.INVALID_ARGUMENTS({ problems });
  } catch {
    // Out of budget, out of stack, or a schema that makes no sense.
    return undefined;
  }
}

function keep(listing: Listing): Kept | undefined {
  const schema = listing.raw["inputSchema"];
  const prepared = isJsonObject(schema) ? prepareSchema(schema) : undefined;
  const entry = isJsonObject(schema) && prepared !== undefined ? { schema, prepared } : undefined;
  kept.set(listing, entry);
  return entry;
}
