import { dereference, type Schema, type SchemaDraft } from "@cfworker/json-schema";
import { isJsonObject, type JsonObject, type JsonValue } from "@postern/tool";
import { serverErrors } from "../errors.js";
import { estimatePattern } from "./pattern-cost.js";

/** A schema made safe to run, whoever wrote it. */
export interface PreparedSchema {
  readonly schema: Schema;
  readonly draft: SchemaDraft;
  readonly lookup: Record<string, Schema | boolean>;
  /** What one validation may still spend. */
  readonly budget: Budget;
}

/** The bound of one validation: `$ref` chains can double the work with every line. */
export class Budget {
  #left = 0;

  /** Begins a validation. */
  reset(): void {
    this.#left = maxVisits;
  }

  /**
   * Counts work.
   *
   * @throws {PosternError} `SCHEMA_TOO_LARGE` when nothing is left; it ends the validation and goes no further.
   */
  spend(visits: number): void {
    this.#left -= visits;
    if (this.#left < 0) throw serverErrors.SCHEMA_TOO_LARGE();
  }
}

const maxVisits = 5_000;
const maxNodes = 20_000;
const maxDepth = 100;
/** Patterns are tried on shorter strings only, and only when this bounds their work. */
const maxPatternTextLength = 128;
const maxPatternSteps = 20_000;
const maxUniqueItems = 100;

const mapKeywords = new Set([
  "$defs",
  "definitions",
  "properties",
  "patternProperties",
  "dependentSchemas",
  "dependencies",
]);
const dataKeywords = new Set(["const", "enum", "default", "examples", "required", "type"]);

interface Preparation {
  readonly budget: Budget;
  /** What `$ref` of each node says; a node whose target does not exist loses it. */
  readonly refs: Map<Schema, { ref: string | undefined }>;
  nodes: number;
}

/**
 * Copies a schema into a form that can be run without harm: every visit of a node is counted, remote references and
 * `format` are let pass, patterns and uniqueness are checked only where their work is bounded.
 *
 * @param source - The schema, as a server wrote it.
 * @returns The prepared schema; undefined when it is too big, too deep or not a schema.
 */
export function prepareSchema(source: JsonObject): PreparedSchema | undefined {
  const preparation: Preparation = { budget: new Budget(), refs: new Map(), nodes: 0 };
  try {
    const schema = copySchema(source, 0, preparation);
    preparation.budget.reset();
    const lookup = dereference(schema);
    for (const [node, link] of preparation.refs) {
      const target: unknown = node["__absolute_ref__"];
      if (typeof target !== "string" || lookup[target] === undefined) link.ref = undefined;
    }
    const draft = findDraft(source["$schema"]);
    return { schema, draft, lookup, budget: preparation.budget };
  } catch {
    return undefined;
  }
}

function findDraft(dialect: JsonValue | undefined): SchemaDraft {
  if (typeof dialect !== "string") return "2020-12";
  if (dialect.includes("draft-04")) return "4";
  if (/draft-0[67]/.test(dialect)) return "7";
  return dialect.includes("2019-09") ? "2019-09" : "2020-12";
}

function copySchema(source: JsonObject, depth: number, preparation: Preparation): Schema {
  preparation.nodes += 1;
  if (preparation.nodes > maxNodes || depth > maxDepth) throw serverErrors.SCHEMA_TOO_LARGE();
  const copy: Schema = {};
  for (const [keyword, value] of Object.entries(source)) {
    if (keyword === "$ref" || keyword === "format" || value === undefined) continue;
    // Defined, not assigned: a server may name a member `__proto__`.
    define(copy, keyword, copyKeyword(keyword, value, { depth, preparation }));
  }
  boundPattern(copy, preparation.budget);
  boundPatternProperties(copy);
  boundUniqueItems(copy);
  countVisits(copy, source["$ref"], preparation);
  return copy;
}

interface Place {
  readonly depth: number;
  readonly preparation: Preparation;
}

function copyKeyword(keyword: string, value: JsonValue, place: Place): unknown {
  const { depth, preparation } = place;
  if (dataKeywords.has(keyword)) return value;
  const copyNested = (nested: JsonValue | undefined): unknown =>
    isJsonObject(nested) ? copySchema(nested, depth + 1, preparation) : nested;
  if (mapKeywords.has(keyword) && isJsonObject(value)) {
    const map = {};
    for (const [name, nested] of Object.entries(value)) define(map, name, copyNested(nested));
    return map;
  }
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(copyNested);
  return copyNested(value);
}

/** The validator reads `$ref` first at every node it visits: there the visit is counted. */
function countVisits(copy: Schema, source: JsonValue | undefined, preparation: Preparation): void {
  const { budget, refs } = preparation;
  const link = { ref: typeof source === "string" ? source : undefined };
  if (link.ref !== undefined) refs.set(copy, link);
  Object.defineProperty(copy, "$ref", {
    enumerable: true,
    get: () => {
      budget.spend(1);
      return link.ref;
    },
  });
}

function boundPattern(copy: Schema, budget: Budget): void {
  const { pattern } = copy;
  delete copy.pattern;
  if (typeof pattern !== "string") return;
  const cost = estimatePattern(pattern);
  if (cost === undefined) return;
  const steps = cost.factor * maxPatternTextLength ** cost.power;
  if (steps > maxPatternSteps) return;
  const weight = Math.ceil(steps / 1_000);
  const tried: Schema = { pattern };
  Object.defineProperty(tried, "$ref", {
    get: () => {
      budget.spend(weight);
      return undefined;
    },
  });
  addConstraint(copy, { if: { minLength: maxPatternTextLength + 1 }, else: tried });
}

/** Names of members can be of any length, so only patterns of linear work are tried on them. */
function boundPatternProperties(copy: Schema): void {
  const { patternProperties } = copy;
  if (!isJsonObject(patternProperties)) return;
  for (const pattern of Object.keys(patternProperties)) {
    const cost = estimatePattern(pattern);
    if (cost !== undefined && cost.power <= 1 && cost.factor <= 64) continue;
    delete (patternProperties as Record<string, unknown>)[pattern];
    // Which members the pattern covers is not known, so none may be called unknown.
    delete copy.additionalProperties;
    delete copy.unevaluatedProperties;
  }
}

function boundUniqueItems(copy: Schema): void {
  if (copy.uniqueItems !== true) return;
  delete copy.uniqueItems;
  addConstraint(copy, { if: { minItems: maxUniqueItems + 1 }, else: { uniqueItems: true } });
}

function addConstraint(copy: Schema, constraint: Schema): void {
  copy.allOf = [...(Array.isArray(copy.allOf) ? copy.allOf : []), constraint];
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
