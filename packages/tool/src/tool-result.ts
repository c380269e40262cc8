import type { JsonObject, JsonValue } from "./json.js";

/** One block of a result: text, image, audio, resource or resource link, as MCP writes it. */
export type ContentBlock = JsonObject & { readonly type: string };

/**
 * What a tool call answers. Members that Postern does not know are kept.
 *
 * @see MCP 2026-07-28, Tools, CallToolResult
 */
export type ToolResult = JsonObject & {
  /** Content for the model. */
  readonly content: readonly ContentBlock[];
  /** The answer as data; any JSON value. */
  readonly structuredContent?: JsonValue;
  /** True for a refusal or a failure; the content says why. */
  readonly isError?: boolean;
};

/**
 * The outcome of a call that needs input first; the caller answers by calling again.
 *
 * @see MCP 2026-07-28, multi round-trip requests
 */
export type InputRequired = JsonObject & {
  readonly resultType: "input_required";
  /** What is asked, by key. */
  readonly inputRequests?: JsonObject;
  /** Opaque state to send back. */
  readonly requestState?: string;
};

/** Either outcome of a call. */
export type CallOutcome = ToolResult | InputRequired;

/**
 * Tells an input-required outcome from a result.
 *
 * @param outcome - What a call resolved to.
 * @returns True when the call waits for input.
 */
export function isInputRequired(outcome: CallOutcome): outcome is InputRequired {
  return outcome["resultType"] === "input_required";
}

/** Marks results that this process built, so that a tool can hand one back whole. Never on the wire. */
const made = Symbol.for("dev.postern.result");

/**
 * Builds a result from its parts, for tools that need more than data or text.
 *
 * @param parts - Content blocks, and optionally structured content, the error flag and `_meta`.
 * @returns The result, marked as built here.
 */
export function createResult(parts: ToolResult): ToolResult {
  return Object.defineProperty({ ...parts }, made, { value: true });
}

/**
 * Tells whether a value was built by `createResult`, `textResult` or `errorResult`.
 *
 * @param value - What a tool returned.
 * @returns True for such a result; never for parsed JSON.
 */
export function isCreatedResult(value: unknown): value is ToolResult {
  return typeof value === "object" && value !== null && Object.hasOwn(value, made);
}

/**
 * Builds a result of one text block.
 *
 * @param text - The text.
 * @returns The result.
 */
export function textResult(text: string): ToolResult {
  return createResult({ content: [{ type: "text", text }] });
}

/**
 * Builds a result from data: the data as structured content, and its JSON as text for older clients.
 *
 * @param data - The answer.
 * @returns The result.
 */
export function dataResult(data: JsonValue): ToolResult {
  return createResult({
    content: [{ type: "text", text: JSON.stringify(data) }],
    structuredContent: data,
  });
}
