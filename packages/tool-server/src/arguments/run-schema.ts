import { validate, type ValidationResult } from "@cfworker/json-schema";
import type { JsonObject, JsonValue } from "@postern/tool";
import { prepareSchema, type PreparedSchema } from "./prepare-schema.js";

/** Prepared when it is first needed; undefined for a schema that cannot be run. */
const kept = new WeakMap<JsonObject, PreparedSchema | undefined>();

/**
 * Holds a value against a schema of a tool, in bounded work whoever wrote the schema.
 *
 * @param schema - The schema, as a listing has it.
 * @param value - The value.
 * @returns Whether it fits, and what was found; undefined when that cannot be told: the schema is too much work, or makes
 * no sense.
 */
export function checkValue(schema: JsonObject, value: JsonValue): ValidationResult | undefined {
  const prepared = kept.has(schema) ? kept.get(schema) : keep(schema);
  if (prepared === undefined) return undefined;
  try {
    prepared.budget.reset();
    return validate(value, prepared.schema, prepared.draft, prepared.lookup, false);
  } catch {
    // Out of budget, out of stack, or a schema that makes no sense.
    return undefined;
  }
}

function keep(schema: JsonObject): PreparedSchema | undefined {
  const prepared = prepareSchema(schema);
  kept.set(schema, prepared);
  return prepared;
}
