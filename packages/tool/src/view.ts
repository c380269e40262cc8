import { findResultError, errorResult } from "./error-result.js";
import { toolErrors } from "./errors.js";
import type { CallTool, Interceptor, ResolvedCall } from "./interceptor.js";
import type { JsonObject } from "./json.js";
import type { Listing } from "./listing.js";
import {
  findPermittedTarget,
  findRequestTarget,
  isRuleFreeMethod,
  isSetMethod,
} from "./request-target.js";
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
import type { CallContext } from "./call-context.js";

interface Permitted {
  readonly all: readonly Listing[];
  readonly listings: readonly Listing[];
  readonly tools: ReadonlyMap<string, Listing>;
}

/** What a view adds to the set below it. */
interface ViewOptions {
  readonly rule?: ToolRule;
  readonly interceptors?: readonly Interceptor[];
}

/** A set seen through a rule and interceptors. Lists and calls use one index, so what is hidden is not callable. */
class View implements ToolSet {
  readonly #inner: ToolSet;
  readonly #options: ViewOptions;
  readonly #kept = new WeakMap<readonly Listing[], Permitted>();
  readonly #chain: CallTool;

  constructor(inner: ToolSet, options: ViewOptions) {
    this.#inner = inner;
    this.#options = options;
    this.#chain = chain(options.interceptors, (call) => inner.call(call));
  }

  async list(context?: ListContext): Promise<readonly Listing[]> {
    return (await this.permitted(context)).listings;
  }

  async call(call: ToolCall): Promise<CallOutcome> {
    const { tools } = await this.permitted({ caller: call.context.caller });
    const listing = tools.get(call.name);
    if (listing === undefined || (call.listing !== undefined && call.listing !== listing))
      return errorResult(toolErrors.UNKNOWN_TOOL({ name: call.name }));
    return this.#chain({ ...call, listing, method: "tools/call" });
  }

  restrict(rule: ToolRule): ToolSet {
    return restrict(this as ToolSet, rule);
  }

  missing(): readonly MissingServer[] {
    return this.#inner.missing();
  }

  onChange(listener: (change: ListChange) => void): Disposable {
    return this.#inner.onChange(listener);
  }

  protected async permitted(context?: ListContext): Promise<Permitted> {
    const all = await this.#inner.list(context);
    const kept = this.#kept.get(all);
    if (kept !== undefined) return kept;
    const { rule } = this.#options;
    const listings =
      rule === undefined ? all : Object.freeze(all.filter((listing) => rule(listing).allow));
    const tools = new Map<string, Listing>();
    for (const listing of listings)
      if (listing.kind === "tool" && !tools.has(listing.name)) tools.set(listing.name, listing);
    const fresh: Permitted = { all, listings, tools };
    this.#kept.set(all, fresh);
    return fresh;
  }
}

/** The view of a set that also answers other methods. */
class SourceView extends View implements Source {
  readonly #source: Source;
  readonly #ruled: boolean;
  readonly #interceptors: readonly Interceptor[] | undefined;

  constructor(inner: Source, options: ViewOptions) {
    super(inner, options);
    this.#source = inner;
    this.#ruled = options.rule !== undefined;
    this.#interceptors = options.interceptors;
  }

  async request(method: string, params: JsonObject, context: CallContext): Promise<JsonObject> {
    if (isSetMethod(method)) throw toolErrors.UNKNOWN_METHOD({ method });
    const target = findRequestTarget(method, params);
    if (target === "none") {
      if (this.#ruled && !isRuleFreeMethod(method)) throw toolErrors.UNKNOWN_METHOD({ method });
      return this.#source.request(method, params, context);
    }
    if (target === "invalid")
      throw toolErrors.INVALID_ARGUMENTS({ problems: [`${method} does not say of what`] });
    const { all, listings } = await this.permitted({ kinds: target.kinds, caller: context.caller });
    const listing = findPermittedTarget(all, listings, target);
    if (listing === undefined)
      throw target.kinds[0] === "prompt"
        ? toolErrors.UNKNOWN_PROMPT({ name: target.name })
        : toolErrors.UNKNOWN_RESOURCE({ uri: target.name });
    if (this.#interceptors === undefined) return this.#source.request(method, params, context);
    return this.#intercepted({ name: target.name, arguments: params, context, listing, method });
  }

  override restrict(rule: ToolRule): Source {
    return restrict(this, rule);
  }

  async #intercepted(call: ResolvedCall): Promise<JsonObject> {
    const send: CallTool = async ({ method, arguments: params, context }) =>
      (await this.#source.request(method, params, context)) as CallOutcome;
    const outcome = await chain(this.#interceptors, send)(call);
    const error = findResultError(outcome);
    if (error !== undefined) throw error;
    return outcome;
  }
}

function chain(interceptors: readonly Interceptor[] = [], last: CallTool): CallTool {
  return interceptors.reduceRight((next, interceptor) => interceptor(next), last);
}

/**
 * Narrows a set by a rule: what the rule refuses is neither listed nor callable.
 *
 * @param inner - The set.
 * @param rule - The rule.
 * @returns The view; a `Source` stays one.
 */
export function restrict(inner: Source, rule: ToolRule): Source;
export function restrict(inner: ToolSet, rule: ToolRule): ToolSet;
export function restrict(inner: ToolSet, rule: ToolRule): ToolSet {
  return isSource(inner) ? new SourceView(inner, { rule }) : new View(inner, { rule });
}

/**
 * Wraps every call of a set, and every request of a `Source` about a listed thing.
 *
 * @param inner - The set.
 * @param interceptors - First is outermost.
 * @returns The view; a `Source` stays one.
 */
export function intercept(inner: Source, ...interceptors: readonly Interceptor[]): Source;
export function intercept(inner: ToolSet, ...interceptors: readonly Interceptor[]): ToolSet;
export function intercept(inner: ToolSet, ...interceptors: readonly Interceptor[]): ToolSet {
  return isSource(inner)
    ? new SourceView(inner, { interceptors })
    : new View(inner, { interceptors });
}
