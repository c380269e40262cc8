import type { PosternError } from "@postern/errors";
import {
  createResult,
  defineTool,
  errorResult,
  findResultError,
  type CallContext,
  type JsonObject,
  type Tool,
  type ToolAnnotations,
  type ToolResult,
} from "@postern/tool";
import { z } from "zod";
import { bundledErrors } from "./errors.js";
import { withGrants } from "./files/grants.js";
import { withoutNullArguments } from "./null-arguments.js";
import type { RootUserGuard } from "./root-user.js";

/** What a bundled tool is made of. */
export interface BundledToolDefinition<Input extends z.ZodObject, Fields extends z.ZodObject> {
  readonly name: string;
  /** A title for people. */
  readonly title: string;
  /** What it does and when to use it, for a model to read. */
  readonly description: string;
  /** Its arguments; a strict object, so that an unknown argument is named and not lost. */
  readonly input: Input;
  /** What it answers, beside `error` and `code`, which every bundled tool has. */
  readonly output: Fields;
  /** What it answers when it failed and has nothing more to say: every field of `output`. */
  readonly empty: z.input<Fields>;
  /** Its tags beside `bundled`. */
  readonly tags: readonly string[];
  /** Names of the arguments that hold file paths. */
  readonly checkpaths?: readonly string[];
  readonly annotations: ToolAnnotations;
  /**
   * Does the work. A thrown error of ours fails the call with the empty fields; `toFailed` fails it with others.
   * Whatever else is thrown becomes `INTERNAL_ERROR`, and nothing of it leaks.
   */
  run(
    input: z.output<Input>,
    context: CallContext,
  ): Promise<z.input<Fields> | Failed<z.input<Fields>>>;
}

/** A failure that has something to show nevertheless. */
export class Failed<Fields> {
  readonly error: PosternError;
  readonly fields: Fields;

  constructor(error: PosternError, fields: Fields) {
    this.error = error;
    this.fields = fields;
  }
}

/**
 * Fails a call, with fields that are worth showing.
 *
 * @param error - Why it failed.
 * @param fields - Every field of the tool's output.
 * @returns What a tool's `run` returns.
 */
export function toFailed<Fields>(error: PosternError, fields: Fields): Failed<Fields> {
  return new Failed(error, fields);
}

/**
 * Declares a bundled tool. Beyond `defineTool`: it refuses to work for the root user, takes a null that means nothing
 * as not given, and answers in one shape whatever happens, with `error` in words, and a stable `code` on a failure.
 *
 * @param definition - What it is made of.
 * @param guard - How the root user is recognised and let through.
 * @returns The tool, frozen.
 */
export function defineBundledTool<Input extends z.ZodObject, Fields extends z.ZodObject>(
  definition: BundledToolDefinition<Input, Fields>,
  guard: RootUserGuard,
): Tool {
  const { empty, tags, output } = definition;
  const tool = defineTool({
    ...definition,
    tags: ["bundled", ...tags],
    output: output.extend({
      error: z.string().describe("Why it failed, in words; empty when it did not."),
      code: z.string().optional().describe("On a failure: its stable code."),
    }),
    run: async (input, context) => {
      const answer = await definition.run(input, context);
      return answer instanceof Failed
        ? toFailure(answer.error, answer.fields as JsonObject)
        : toSuccess(answer as JsonObject);
    },
  });
  const fail = (error: unknown): ToolResult => toFailure(error, empty as JsonObject);
  const schema = tool.listing.raw["inputSchema"];
  return Object.freeze<Tool>({
    listing: tool.listing,
    async run(args, context) {
      if (guard.isRoot() && !guard.allowRoot()) return fail(bundledErrors.ROOT_REFUSED());
      const given = withoutNullArguments(args, schema);
      const result = await withGrants(context?.meta, () => tool.run(given, context));
      const error = findResultError(result);
      // What `run` threw, and refused arguments: in this tool's shape too, or its output schema would not hold.
      return error === undefined || hasShape(result) ? result : fail(error);
    },
  });
}

function hasShape({ structuredContent }: ToolResult): boolean {
  return (structuredContent as { readonly code?: unknown } | undefined)?.code !== undefined;
}

function toSuccess(fields: JsonObject): ToolResult {
  const data = { ...fields, error: "" };
  return createResult({
    content: [{ type: "text", text: JSON.stringify(data) }],
    structuredContent: data,
  });
}

/** The fields that a caller expects, `error` in words and the stable `code`. */
function toFailure(error: unknown, fields: JsonObject): ToolResult {
  return errorResult(error, (known) => ({ ...fields, error: known.message, code: known.code }));
}
