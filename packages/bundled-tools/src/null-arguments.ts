import { isJsonObject, type JsonObject, type JsonValue } from "@postern/tool";

/**
 * Leaves out every argument that is null where null means nothing: the tool's schema neither requires it nor allows
 * null for it. Models often write null for "not given"; the default then applies.
 *
 * @param args - The arguments of a call.
 * @param inputSchema - The tool's input schema.
 * @returns The same object when there is nothing to leave out, else a copy.
 */
export function withoutNullArguments(
  args: JsonObject,
  inputSchema: JsonValue | undefined,
): JsonObject {
  const schema = isJsonObject(inputSchema) ? inputSchema : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const dropped = Object.keys(args).filter((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return (
      args[name] === null &&
      isJsonObject(property) &&
      !required.includes(name) &&
      !allowsNull(property)
    );
  });
  if (dropped.length === 0) return args;
  return Object.fromEntries(Object.entries(args).filter(([name]) => !dropped.includes(name)));
}

function allowsNull(schema: JsonObject): boolean {
  const { type, anyOf, oneOf } = schema;
  if (type === "null" || (Array.isArray(type) && type.includes("null"))) return true;
  return [anyOf, oneOf].some(
    (branches) =>
      Array.isArray(branches) &&
      branches.some((branch) => isJsonObject(branch) && allowsNull(branch)),
  );
}
