import type { Caller } from "./call-context.js";
import type { JsonObject } from "./json.js";
import type { ToolAnnotations } from "./listing.js";

/** Something a gateway can offer as a tool: a model's fetch, a module's function, a query. */
export interface Operation {
  /** Its reference, for instance `customers.fetch`. */
  readonly ref: string;
  /** What it does, for a model to read. */
  readonly description: string;
  /** JSON Schema (2020-12) of its arguments. */
  readonly inputSchema: JsonObject;
  /** JSON Schema of its result, where that is fixed. */
  readonly outputSchema?: JsonObject;
  /** Effect hints. */
  readonly annotations?: ToolAnnotations;
  /** Runs it as the caller. */
  run(args: JsonObject, caller: Caller, signal: AbortSignal): Promise<JsonObject>;
}
