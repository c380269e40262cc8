import { isJsonObject, type JsonObject, type JsonValue } from "@postern/tool";

/** Tells whether what was filled into a field fits it. */
type FieldCheck = (value: JsonValue | undefined) => boolean;

/** A form whose schema is as the protocol has it. */
export interface FormSchema {
  readonly fields: ReadonlyMap<string, FieldCheck>;
  readonly required: readonly string[];
}

const maxFields = 50;
const maxTextLength = 10_000;

/**
 * Reads the schema of a form: a flat object of strings, numbers, booleans and choices. What the protocol does not have
 * is refused, for a client could leave it out, and the person would answer another form than was meant.
 *
 * @param schema - The schema.
 * @returns The form; or, in words, what is wrong with it.
 * @see MCP 2025-11-25 and 2026-07-28, elicitation, requested schema
 */
export function parseFormSchema(schema: JsonObject): FormSchema | string {
  const { type, properties, required = [] } = schema;
  if (!hasOnly(schema, formMembers) || type !== "object" || !isJsonObject(properties))
    return "its schema is not an object with `properties` and `required` only";
  const names = Object.keys(properties);
  if (names.length > maxFields) return `its schema has more than ${maxFields} properties`;
  if (!isStrings(required) || required.some((name) => !names.includes(name)))
    return "`required` of its schema does not name properties of it";
  const fields = new Map<string, FieldCheck>();
  for (const name of names) {
    const check = toFieldCheck(properties[name]);
    if (check === undefined)
      return `the property ${JSON.stringify(name.slice(0, 100))} of its schema is no plain field`;
    fields.set(name, check);
  }
  return { fields, required };
}

/**
 * Reads what was filled in.
 *
 * @param form - The form.
 * @param content - What came back.
 * @returns The fields of the form, nothing else; undefined when one is missing or does not fit.
 */
export function readContent(form: FormSchema, content: unknown): JsonObject | undefined {
  if (content !== undefined && !isJsonObject(content)) return undefined;
  const filled: JsonObject = content ?? {};
  if (!form.required.every((name) => Object.hasOwn(filled, name))) return undefined;
  const entries: [string, JsonValue][] = [];
  for (const [name, check] of form.fields) {
    const value = Object.hasOwn(filled, name) ? filled[name] : undefined;
    if (value === undefined) continue;
    if (!check(value)) return undefined;
    entries.push([name, value]);
  }
  return Object.fromEntries(entries);
}

const formMembers: ReadonlySet<string> = new Set(["$schema", "type", "properties", "required"]);

/** What each kind of field may say beside its type, title, description and default. */
const fieldMembers: Readonly<Record<string, readonly string[]>> = {
  string: ["minLength", "maxLength", "format"],
  number: ["minimum", "maximum"],
  integer: ["minimum", "maximum"],
  boolean: [],
  choice: ["enum", "enumNames", "oneOf"],
  array: ["items", "minItems", "maxItems"],
};
const commonMembers = ["type", "title", "description", "default"];

function toFieldCheck(field: JsonValue | undefined): FieldCheck | undefined {
  if (!isJsonObject(field) || typeof field["type"] !== "string") return undefined;
  const isChoice = field["type"] === "string" && ("enum" in field || "oneOf" in field);
  const kind = isChoice ? "choice" : field["type"];
  const members = Object.hasOwn(fieldMembers, kind) ? fieldMembers[kind] : undefined;
  if (members === undefined || !hasOnly(field, new Set([...commonMembers, ...members])))
    return undefined;
  if (!isText(field["title"]) || !isText(field["description"])) return undefined;
  const check = checkOf(kind, field);
  // A default that does not fit could never be sent back as it is.
  return "default" in field && check?.(field["default"]) === false ? undefined : check;
}

function checkOf(kind: string, field: JsonObject): FieldCheck | undefined {
  switch (kind) {
    case "boolean":
      return (value) => typeof value === "boolean";
    case "choice":
      return toChoiceCheck(field);
    case "array":
      return toListCheck(field);
    case "string":
      return toStringCheck(field);
    default:
      return toNumberCheck(field, kind === "integer");
  }
}

function toStringCheck(field: JsonObject): FieldCheck | undefined {
  const { minLength = 0, maxLength = maxTextLength, format } = field;
  if (!isCount(minLength) || !isCount(maxLength)) return undefined;
  const isFormat = format === undefined ? () => true : findFormat(format);
  if (isFormat === undefined) return undefined;
  return (value) => {
    if (typeof value !== "string" || value.length > 2 * maxTextLength) return false;
    // In code points, as JSON Schema counts.
    const { length } = Array.from(value);
    return length >= minLength && length <= Math.min(maxLength, maxTextLength) && isFormat(value);
  };
}

const formats: Readonly<Record<string, (value: string) => boolean>> = {
  email: (value) => /^[^\s@]+@[^\s@]+$/.test(value),
  uri: (value) => URL.canParse(value),
  date: isDate,
  "date-time": (value) =>
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i.test(value) &&
    isDate(value.slice(0, 10)) &&
    !Number.isNaN(Date.parse(value)),
};

function findFormat(format: JsonValue): ((value: string) => boolean) | undefined {
  return typeof format === "string" && Object.hasOwn(formats, format) ? formats[format] : undefined;
}

/** A day that the calendar has: `Date` alone takes the 30th of February for the 2nd of March. */
function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

function toNumberCheck(field: JsonObject, isInteger: boolean): FieldCheck | undefined {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = field;
  if (typeof minimum !== "number" || typeof maximum !== "number") return undefined;
  return (value) =>
    typeof value === "number" &&
    (isInteger ? Number.isSafeInteger(value) : Number.isFinite(value)) &&
    value >= minimum &&
    value <= maximum;
}

function toChoiceCheck(field: JsonObject): FieldCheck | undefined {
  const { enum: values, enumNames, oneOf } = field;
  if (oneOf === undefined) {
    if (!isStrings(values) || values.length === 0) return undefined;
    if (enumNames !== undefined && !isStrings(enumNames)) return undefined;
    return (value) => typeof value === "string" && values.includes(value);
  }
  const titled = values === undefined && enumNames === undefined ? toTitled(oneOf) : undefined;
  return titled && ((value) => typeof value === "string" && titled.includes(value));
}

function toListCheck(field: JsonObject): FieldCheck | undefined {
  const { items, minItems = 0, maxItems = Number.MAX_SAFE_INTEGER } = field;
  if (!isJsonObject(items) || !isCount(minItems) || !isCount(maxItems)) return undefined;
  const values = toItemValues(items);
  return (
    values &&
    ((value) =>
      isStrings(value) &&
      value.length >= minItems &&
      value.length <= Math.min(maxItems, values.length) &&
      value.every((item) => values.includes(item)))
  );
}

function toItemValues(items: JsonObject): readonly string[] | undefined {
  if (hasOnly(items, new Set(["anyOf"]))) return toTitled(items["anyOf"]);
  const { type, enum: values } = items;
  const isPlain = hasOnly(items, new Set(["type", "enum"])) && type === "string";
  return isPlain && isStrings(values) ? values : undefined;
}

function toTitled(options: JsonValue | undefined): readonly string[] | undefined {
  if (!Array.isArray(options) || options.length === 0) return undefined;
  const values = (options as readonly JsonValue[]).flatMap((option) =>
    isJsonObject(option) &&
    hasOnly(option, new Set(["const", "title"])) &&
    typeof option["const"] === "string" &&
    typeof option["title"] === "string"
      ? [option["const"]]
      : [],
  );
  return values.length === options.length ? values : undefined;
}

function hasOnly(object: JsonObject, members: ReadonlySet<string>): boolean {
  return Object.keys(object).every((key) => members.has(key));
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isText(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
