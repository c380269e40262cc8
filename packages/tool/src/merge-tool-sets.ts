import type { CallContext } from "./call-context.js";
import { errorResult } from "./error-result.js";
import { toolErrors } from "./errors.js";
import type { JsonObject } from "./json.js";
import type { Listing } from "./listing.js";
import { findRequestTarget, findTargetListing, isSetMethod } from "./request-target.js";
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
  readonly listings: readonly Listing[];
  readonly owners: ReadonlyMap<Listing, ToolSet>;
  readonly tools: ReadonlyMap<string, Listing>;
}

/** One step on the way from the parts, in order, to their merge. Weak: it goes when one of the parts does. */
interface MergeNode {
  readonly next: WeakMap<readonly Listing[], MergeNode>;
  merged?: Merged;
}

/** Several sets as one. A name that two sets have belongs to the first; the other's is not listed. */
class MergedSets implements Source {
  readonly #sets: readonly ToolSet[];
  /** The merge of each combination of parts: stays the same array for as long as the parts do, whoever asks. */
  readonly #kept: MergeNode = { next: new WeakMap() };

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
    if (isSetMethod(method)) throw toolErrors.UNKNOWN_METHOD({ method });
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
    let node = this.#kept;
    for (const part of parts) {
      const next = node.next.get(part) ?? { next: new WeakMap() };
      node.next.set(part, next);
      node = next;
    }
    node.merged ??= mergeParts(this.#sets, parts);
    return node.merged;
  }
}

function mergeParts(sets: readonly ToolSet[], parts: readonly (readonly Listing[])[]): Merged {
  const owners = new Map<Listing, ToolSet>();
  const taken = new Map<string, Listing>();
  for (const [at, part] of parts.entries())
    for (const listing of part) {
      const id = `${listing.kind} ${listing.name}`;
      const set = sets[at];
      if (taken.has(id) || set === undefined) continue;
      taken.set(id, listing);
      owners.set(listing, set);
    }
  const listings = Object.freeze([...taken.values()]);
  const tools = new Map(
    listings.filter(({ kind }) => kind === "tool").map((listing) => [listing.name, listing]),
  );
  return { listings, owners, tools };
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
