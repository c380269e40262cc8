import type { CallContext } from "./call-context.js";
import { errorResult } from "./error-result.js";
import { toolErrors } from "./errors.js";
import type { JsonObject } from "./json.js";
import type { Listing } from "./listing.js";
import { findRequestTarget, findTargetListing } from "./request-target.js";
import type { ToolRule } from "./tool-rule.js";
import type { CallOutcome } from "./tool-result.js";
import {
  isSource,
  type ListChange,
  type ListContext,
  type MissingServer,
  type Source,
  type ToolCall,
  type ToolSet,
} from "./tool-set.js";
import { restrict } from "./view.js";

interface Merged {
  readonly parts: readonly (readonly Listing[])[];
  readonly listings: readonly Listing[];
  readonly owners: ReadonlyMap<Listing, ToolSet>;
  readonly tools: ReadonlyMap<string, Listing>;
}

/** Several sets as one. A name that two sets have belongs to the first; the other's is not listed. */
class MergedSets implements Source {
  readonly #sets: readonly ToolSet[];
  /** The last merge for each combination of kinds: stays the same array for as long as the parts do. */
  readonly #kept = new Map<string, Merged>();

  constructor(sets: readonly ToolSet[]) {
    this.#sets = sets;
  }

  async list(context?: ListContext): Promise<readonly Listing[]> {
    return (await this.#merge(context)).listings;
  }

  async call(call: ToolCall): Promise<CallOutcome> {
    const { tools, owners } = await this.#merge({ caller: call.context.caller });
    const listing = tools.get(call.name);
    const owner = listing === undefined ? undefined : owners.get(listing);
    if (
      listing === undefined ||
      owner === undefined ||
      (call.listing !== undefined && call.listing !== listing)
    )
      return errorResult(toolErrors.UNKNOWN_TOOL({ name: call.name }));
    return owner.call({ ...call, listing });
  }

  async request(method: string, params: JsonObject, context: CallContext): Promise<JsonObject> {
    const target = findRequestTarget(method, params);
    if (target === "invalid")
      throw toolErrors.INVALID_ARGUMENTS({ problems: [`${method} does not say of what`] });
    if (target === "none") return this.#requestAll(method, params, context);
    const { listings, owners } = await this.#merge({
      kinds: target.kinds,
      caller: context.caller,
    });
    const listing = findTargetListing(listings, target);
    const owner = listing === undefined ? undefined : owners.get(listing);
    if (owner === undefined || !isSource(owner))
      throw target.kinds[0] === "prompt"
        ? toolErrors.UNKNOWN_PROMPT({ name: target.name })
        : toolErrors.UNKNOWN_RESOURCE({ uri: target.name });
    return owner.request(method, params, context);
  }

  restrict(rule: ToolRule): Source {
    return restrict(this, rule);
  }

  missing(): readonly MissingServer[] {
    return this.#sets.flatMap((set) => set.missing());
  }

  onChange(listener: (change: ListChange) => void): Disposable {
    const subscriptions = this.#sets.map((set) => set.onChange(listener));
    return {
      [Symbol.dispose]: () => {
        for (const subscription of subscriptions) subscription[Symbol.dispose]();
      },
    };
  }

  /** A request about no listing, such as `logging/setLevel`, goes to every source; the first answer counts. */
  async #requestAll(method: string, params: JsonObject, context: CallContext): Promise<JsonObject> {
    const sources = this.#sets.filter(isSource);
    if (sources.length === 0) throw toolErrors.UNKNOWN_METHOD({ method });
    const answers = await Promise.allSettled(
      sources.map((source) => source.request(method, params, context)),
    );
    const answer = answers.find((settled) => settled.status === "fulfilled") ?? answers[0];
    if (answer?.status === "fulfilled") return answer.value;
    throw answer?.reason ?? toolErrors.UNKNOWN_METHOD({ method });
  }

  async #merge(context?: ListContext): Promise<Merged> {
    const parts = await Promise.all(this.#sets.map((set) => set.list(context)));
    const key = [...(context?.kinds ?? ["tool"])].sort().join();
    const kept = this.#kept.get(key);
    if (kept !== undefined && kept.parts.every((part, at) => part === parts[at])) return kept;
    const owners = new Map<Listing, ToolSet>();
    const taken = new Map<string, Listing>();
    for (const [at, part] of parts.entries())
      for (const listing of part) {
        const id = `${listing.kind} ${listing.name}`;
        const set = this.#sets[at];
        if (taken.has(id) || set === undefined) continue;
        taken.set(id, listing);
        owners.set(listing, set);
      }
    const listings = Object.freeze([...taken.values()]);
    const tools = new Map(
      listings.filter(({ kind }) => kind === "tool").map((listing) => [listing.name, listing]),
    );
    const merged: Merged = { parts, listings, owners, tools };
    this.#kept.set(key, merged);
    return merged;
  }
}

/**
 * Joins sets into one.
 *
 * @param sets - The sets, by precedence: a name that two of them have belongs to the first.
 * @returns The joined set. It answers other methods through those of its parts that do.
 */
export function mergeToolSets(...sets: readonly ToolSet[]): Source {
  return new MergedSets(sets);
}
