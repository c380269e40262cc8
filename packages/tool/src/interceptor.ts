import type { ToolCall } from "./tool-set.js";
import type { CallOutcome } from "./tool-result.js";
import type { Listing } from "./listing.js";

/** A call on its way down, with the listing it was resolved to. */
export interface ResolvedCall extends ToolCall {
  /**
   * The MCP method: `tools/call`, or for a `Source` also `resources/read`, `prompts/get`, … whose parameters are then
   * in `arguments`.
   */
  readonly method: string;
  /** What is called. */
  readonly listing: Listing;
}

/** The rest of the chain: carries a call out. */
export type CallTool = (call: ResolvedCall) => Promise<CallOutcome>;

/**
 * Wraps every call: consent, governance, taint, time limits, audit. To refuse, it resolves to `errorResult(…)`. It
 * must let the `INPUT_REQUIRED` rejection of `context.ask` pass.
 */
export type Interceptor = (next: CallTool) => CallTool;
