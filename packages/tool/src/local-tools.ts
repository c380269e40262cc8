import { errorResult } from "./error-result.js";
import { toolErrors } from "./errors.js";
import type { Tool } from "./define-tool.js";
import type { Listing } from "./listing.js";
import type { ToolRule } from "./tool-rule.js";
import type { CallOutcome } from "./tool-result.js";
import type { ListContext, MissingServer, ToolCall, ToolSet } from "./tool-set.js";
import { restrict } from "./view.js";

const nothing: readonly Listing[] = Object.freeze([]);
const noneMissing: readonly MissingServer[] = Object.freeze([]);

/** The tools of this process as a set. They never change, so nobody is ever told of a change. */
class LocalTools implements ToolSet {
  readonly #listings: readonly Listing[];
  readonly #tools: ReadonlyMap<string, { readonly tool: Tool; readonly listing: Listing }>;

  constructor(tools: readonly Tool[], server: string) {
    const entries = tools.map((tool) => ({
      tool,
      listing: Object.freeze({ ...tool.listing, server }),
    }));
    this.#listings = Object.freeze(entries.map(({ listing }) => listing));
    this.#tools = new Map(entries.map((entry) => [entry.listing.name, entry]));
  }

  list(context?: ListContext): Promise<readonly Listing[]> {
    const wanted = context?.kinds === undefined || context.kinds.includes("tool");
    return Promise.resolve(wanted ? this.#listings : nothing);
  }

  async call(call: ToolCall): Promise<CallOutcome> {
    const entry = this.#tools.get(call.name);
    if (entry === undefined || (call.listing !== undefined && call.listing !== entry.listing))
      return errorResult(toolErrors.UNKNOWN_TOOL({ name: call.name }));
    return entry.tool.run(call.arguments, call.context);
  }

  restrict(rule: ToolRule): ToolSet {
    return restrict(this, rule);
  }

  missing(): readonly MissingServer[] {
    return noneMissing;
  }

  onChange(): Disposable {
    return { [Symbol.dispose]: () => undefined };
  }
}

/**
 * Makes a set of your own tools.
 *
 * @param tools - What `defineTool` made. Listed in this order.
 * @param options - `server`: the name rules see as the tools' server. Default: empty.
 * @returns The set.
 * @throws {PosternError} `INVALID_TOOL` when two tools share a name.
 */
export function toolSet(
  tools: readonly Tool[],
  options: { readonly server?: string } = {},
): ToolSet {
  const seen = new Set<string>();
  for (const { listing } of tools) {
    if (seen.has(listing.name))
      throw toolErrors.INVALID_TOOL({ name: listing.name, problem: "its name is used twice" });
    seen.add(listing.name);
  }
  return new LocalTools(tools, options.server ?? "");
}
