import { isJsonObject, type Listing, type ToolResult } from "@postern/tool";
import { checkValue } from "../arguments/run-schema.js";

/**
 * Fits an error result of our own to the tool it stands for. The SDK's clients hold the structured content of every
 * result against the tool's output schema, of errors too, and in place of a misfit show a fault of the protocol: the
 * model would never read why it was refused. The text holds the same JSON, so nothing is lost.
 *
 * @param result - The refusal, or failure, of our side.
 * @param listing - The tool; undefined when there is none of the name.
 * @returns The same result when it fits; one without structured content when it does not, or when that cannot be told.
 */
export function fitRefusal(result: ToolResult, listing: Listing | undefined): ToolResult {
  const schema = listing?.raw["outputSchema"];
  const { structuredContent, ...rest } = result;
  if (!isJsonObject(schema) || structuredContent === undefined) return result;
  return checkValue(schema, structuredContent)?.valid === true ? result : rest;
}
