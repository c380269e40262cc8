import type { JsonObject, JsonValue } from "../json/json-value.js";
import type { ObjectShape, Shape, StringShape } from "./shape.js";

/** What every text without a form of its own is held to. */
const withoutNul = "^[^\\u0000]*$";

/** Writes a shape as JSON Schema (draft 2020-12), for editors. */
export function toJsonSchema(shape: Shape): JsonObject {
  const described: JsonObject =
    shape.description === undefined ? {} : { description: shape.description };
  return { ...described, ...toConstraints(shape) };
}

function toConstraints(shape: Shape): JsonObject {
  switch (shape.kind) {
    case "string":
      return toStringSchema(shape);
    case "boolean":
      return { type: shape.nullable === true ? ["boolean", "null"] : "boolean" };
    case "seconds":
      return {
        type: "number",
        ...(shape.zero ? { minimum: 0 } : { exclusiveMinimum: 0 }),
        maximum: shape.max,
      };
    case "list":
      return {
        type: "array",
        items: toJsonSchema(shape.of),
        ...(shape.notEmpty === true ? { minItems: 1 } : {}),
      };
    case "map":
      return {
        type: "object",
        propertyNames: { pattern: shape.keys.pattern },
        additionalProperties: toJsonSchema(shape.of),
      };
    case "object":
      return toObjectSchema(shape);
    case "choice":
      return {
        type: "object",
        if: { required: [shape.key] },
        // oxlint-disable-next-line unicorn/no-thenable -- "then" is JSON Schema's own word
        then: toJsonSchema(shape.present),
        else: toJsonSchema(shape.absent),
      };
    case "any-object":
      break;
  }
  return { type: "object" };
}

function toStringSchema({ values, form }: StringShape): JsonObject {
  if (values !== undefined) return { enum: values };
  return { type: "string", pattern: form?.pattern ?? withoutNul };
}

function toObjectSchema(shape: ObjectShape): JsonObject {
  const properties = Object.entries(shape.fields).map(([key, field]): [string, JsonValue] => [
    key,
    toJsonSchema(field),
  ]);
  const choices = (shape.oneOf ?? []).map((key) => ({
    required: [key],
    properties: { [key]: { minLength: 1 } },
  }));
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(shape.required === undefined ? {} : { required: shape.required }),
    ...(choices.length === 0 ? {} : { oneOf: choices }),
    ...(shape.unknown === "refuse" ? { additionalProperties: false } : {}),
  };
}
