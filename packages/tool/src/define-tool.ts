import type { z } from "zod";
import { createCallContext, type CallContext } from "./call-context.js";
import { errorResult } from "./error-result.js";
import { toolErrors } from "./errors.js";
import { isInputRequiredError } from "./input-required-error.js";
import { isJsonObject, type JsonObject, type JsonValue } from "./json.js";
import type { Listing, ToolAnnotations } from "./listing.js";
import { checkpathsMetaKey, tagsMetaKey } from "./meta.js";
import {
  createResult,
  dataResult,
  isCreatedResult,
  textResult,
  type ToolResult,
} from "./tool-result.js";

/** What a tool of your own is made of. */
export interface ToolDefinition<Input extends z.ZodObject> {
  /** Its name: 1 to 64 letters, digits, `_` or `-`. */
  readonly name: string;
  /** A title for people. */
  readonly title?: string;
  /** What it does and when to use it, for a model to read. */
  readonly description: string;
  /** Its arguments. */
  readonly input: Input;
  /**
   * The shape of its structured result, if fixed. A result that does not fit becomes `OUTPUT_MISMATCH`, because a client
   * would refuse it anyway; members that it does not name are left out.
   */
  readonly output?: z.ZodObject;
  /** Tags for exposure filters. */
  readonly tags?: readonly string[];
  /** Names of the arguments that hold file paths. */
  readonly checkpaths?: readonly string[];
  /** Effect hints. Without them the tool is refused under `read_only`. */
  readonly annotations?: ToolAnnotations;
  /**
   * Does the work. Text becomes a text block, data becomes structured content and its JSON, a result of
   * `createResult` passes whole. A thrown `PosternError` becomes an error result; anything else thrown becomes
   * `INTERNAL_ERROR`, and nothing of it leaks.
   */
  run(
    input: z.output<Input>,
    context: CallContext,
  ): Promise<JsonValue | ToolResult> | JsonValue | ToolResult;
}

/** A tool of this process: its listing, and the function behind it. */
export interface Tool {
  /** What is listed. `server` is empty until a set takes it in. */
  readonly listing: Listing;
  /** Checks the arguments and runs the tool; never rejects, except with the `INPUT_REQUIRED` of an ask. */
  run(args: JsonObject, context?: CallContext): Promise<ToolResult>;
}

const namePattern = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Declares a tool.
 *
 * @param definition - Name, description, zod schema of the arguments, and the function.
 * @returns The tool, frozen; give it to `toolSet`.
 * @throws {PosternError} `INVALID_TOOL` when the name does not fit, the schema cannot be written as JSON Schema, or
 * `checkpaths` names no argument.
 * @example
 * ```ts
 * const echo = defineTool({
 *   name: "echo",
 *   description: "Says the text again.",
 *   input: z.object({ text: z.string() }),
 *   annotations: { readOnlyHint: true },
 *   run: ({ text }) => text,
 * });
 * ```
 */
export function defineTool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): Tool {
  const { name, input, output } = definition;
  if (!namePattern.test(name))
    throw toolErrors.INVALID_TOOL({ name, problem: "a name is 1 to 64 letters, digits, _ or -" });
  // A misspelt path argument would be gated by nobody.
  const stray = definition.checkpaths?.find((argument) => !Object.hasOwn(input.shape, argument));
  if (stray !== undefined)
    throw toolErrors.INVALID_TOOL({
      name,
      problem: `checkpaths names no argument of it: ${stray}`,
    });
  const listing = toListing(definition);
  return Object.freeze({
    listing,
    async run(args: JsonObject, context: CallContext = createCallContext()): Promise<ToolResult> {
      try {
        const parsed = await input.safeParseAsync(args);
        if (!parsed.success)
          return errorResult(toolErrors.INVALID_ARGUMENTS({ problems: toProblems(parsed.error) }));
        const value = await definition.run(parsed.data, context);
        return output === undefined ? toResult(value) : await toFittingResult(definition, value);
      } catch (error) {
        if (isInputRequiredError(error)) throw error;
        return errorResult(error);
      }
    },
  });
}

function toListing(definition: ToolDefinition<z.ZodObject>): Listing {
  const { name, title, description, tags = [], checkpaths = [], annotations } = definition;
  const meta = {
    ...(tags.length > 0 ? { [tagsMetaKey]: [...tags] } : {}),
    ...(checkpaths.length > 0 ? { [checkpathsMetaKey]: [...checkpaths] } : {}),
  };
  const raw = freezeDeep({
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema: toJsonSchema(definition.input, name, "input"),
    ...(definition.output === undefined
      ? {}
      : { outputSchema: toJsonSchema(definition.output, name, "output") }),
    ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
    ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}),
  } satisfies JsonObject);
  return Object.freeze({
    kind: "tool",
    server: "",
    name,
    originalName: name,
    tags: Object.freeze([...tags]),
    checkpaths: Object.freeze([...checkpaths]),
    ...(annotations === undefined ? {} : { annotations: Object.freeze({ ...annotations }) }),
    raw,
  });
}

function toJsonSchema(schema: z.ZodObject, name: string, io: "input" | "output"): JsonObject {
  try {
    // Through text: zod hangs functions on the object, and a listing holds nothing but JSON.
    return JSON.parse(
      JSON.stringify(schema.toJSONSchema({ io, target: "draft-2020-12" })),
    ) as JsonObject;
  } catch (cause) {
    throw toolErrors.INVALID_TOOL(
      { name, problem: `its ${io} schema has no JSON Schema form` },
      { cause },
    );
  }
}

function toProblems(error: z.ZodError): readonly string[] {
  return error.issues
    .slice(0, 20)
    .map(({ path, message }) =>
      path.length > 0 ? `${path.map(String).join(".")}: ${message}` : message,
    )
    .map((problem) => (problem.length > 200 ? `${problem.slice(0, 199)}…` : problem));
}

async function toFittingResult(
  { name, output }: Pick<ToolDefinition<z.ZodObject>, "name" | "output">,
  value: JsonValue | ToolResult,
): Promise<ToolResult> {
  const whole = isCreatedResult(value) ? value : undefined;
  if (output === undefined || whole?.isError === true) return toResult(value);
  const parsed = await output.safeParseAsync(whole === undefined ? value : whole.structuredContent);
  if (!parsed.success)
    return errorResult(toolErrors.OUTPUT_MISMATCH({ name, problems: toProblems(parsed.error) }));
  const data = parsed.data as JsonObject;
  return whole === undefined
    ? dataResult(data)
    : createResult({ ...whole, structuredContent: data });
}

function freezeDeep<Value extends JsonObject>(value: Value): Value {
  for (const member of Object.values(value))
    if (typeof member === "object" && member !== null) freezeDeep(member as JsonObject);
  return Object.freeze(value);
}

function toResult(value: JsonValue | ToolResult): ToolResult {
  if (isCreatedResult(value)) return value;
  if (typeof value === "string") return textResult(value);
  return dataResult(isJsonObject(value) ? value : (value ?? null));
}
