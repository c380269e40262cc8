import { describe, expect, it } from "vitest";
import { createCallContext, type Caller } from "./call-context.js";
import type { JsonObject } from "./json.js";
import type { Listing, ListingKind } from "./listing.js";
import { allowed, refused, type ToolRule } from "./tool-rule.js";
import { textResult } from "./tool-result.js";
import {
  isSource,
  type ListChange,
  type ListContext,
  type Source,
  type ToolCall,
} from "./tool-set.js";
import { restrict } from "./view.js";

const context = createCallContext();
const of = (kind: ListingKind, name: string): Listing =>
  Object.freeze({ kind, server: "s", name, originalName: name, tags: [], checkpaths: [], raw: {} });
const hide =
  (...names: readonly string[]): ToolRule =>
  ({ name }) =>
    names.includes(name) ? refused(`hides ${name}`) : allowed;
const code = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (value) => value,
    (error: { readonly code?: string }) => error.code,
  );

const say = (source: Source) =>
  source.request("prompts/get", { name: "hidden" }, context).then(
    () => "answered",
    (error: Error) => JSON.stringify(error),
  );

/** A source that answers whatever reaches it, and remembers what did. */
class Fake implements Source {
  listings: readonly Listing[];
  readonly calls: ToolCall[] = [];
  readonly requests: { readonly method: string; readonly params: JsonObject }[] = [];
  readonly askedBy: (Caller | undefined)[] = [];
  readonly listeners = new Set<(change: ListChange) => void>();
  readonly #byKinds = new Map<string, readonly Listing[]>();

  constructor(...listings: readonly Listing[]) {
    this.listings = listings;
  }

  relist(...listings: readonly Listing[]): void {
    this.listings = listings;
    this.#byKinds.clear();
  }

  list({ kinds = ["tool"], caller }: ListContext = {}) {
    this.askedBy.push(caller);
    const key = kinds.join();
    const kept = this.#byKinds.get(key) ?? this.listings.filter(({ kind }) => kinds.includes(kind));
    this.#byKinds.set(key, kept);
    return Promise.resolve(kept);
  }

  call(call: ToolCall) {
    this.calls.push(call);
    return Promise.resolve(textResult("called"));
  }

  request(method: string, params: JsonObject) {
    this.requests.push({ method, params });
    return Promise.resolve({ answered: method });
  }

  restrict(rule: ToolRule): Source {
    return restrict(this, rule);
  }

  missing = () => [{ server: "gone", reason: "It does not answer.", since: 1 }];

  onChange(listener: (change: ListChange) => void): Disposable {
    this.listeners.add(listener);
    return { [Symbol.dispose]: () => void this.listeners.delete(listener) };
  }
}

describe("restrict(): tools", () => {
  it("neither lists nor calls what the rule refuses", async () => {
    const fake = new Fake(of("tool", "a"), of("tool", "b"));
    const view = restrict(fake, hide("b"));
    expect((await view.list()).map(({ name }) => name)).toEqual(["a"]);
    await view.call({ name: "a", arguments: {}, context });
    await view.call({ name: "b", arguments: {}, context });
    expect(fake.calls.map(({ name }) => name)).toEqual(["a"]);
  });

  it("answers a hidden name exactly as one that does not exist", async () => {
    const call = { name: "b", arguments: {}, context };
    const hidden = await restrict(new Fake(of("tool", "b")), hide("b")).call(call);
    const unknown = await restrict(new Fake(), hide("b")).call(call);
    expect(hidden).toEqual(unknown);
    expect(hidden).toMatchObject({ isError: true, structuredContent: { error: "UNKNOWN_TOOL" } });
    expect(JSON.stringify(hidden)).not.toContain("hides");
  });

  it("does not call a prompt or resource as a tool", async () => {
    const fake = new Fake(of("prompt", "p"), of("resource", "x://r"));
    const view = restrict(fake, hide());
    await view.call({ name: "p", arguments: {}, context });
    await view.call({ name: "x://r", arguments: {}, context });
    expect(fake.calls).toEqual([]);
  });

  it("keeps a listing that the inner set has, and the array for as long as the inner one stays", async () => {
    const fake = new Fake(of("tool", "a"), of("tool", "b"));
    const view = restrict(fake, hide("b"));
    const before = await view.list();
    expect(await view.list()).toBe(before);
    expect(before[0]).toBe(fake.listings[0]);
    fake.relist(of("tool", "c"));
    expect((await view.list()).map(({ name }) => name)).toEqual(["c"]);
  });

  it("asks the rule once for each listing, however often it is called", async () => {
    const asked: string[] = [];
    const rule: ToolRule = ({ name }) => {
      asked.push(name);
      return allowed;
    };
    const view = restrict(new Fake(of("tool", "a"), of("tool", "b")), rule);
    await view.list();
    await view.call({ name: "a", arguments: {}, context });
    await view.call({ name: "nope", arguments: {}, context });
    expect(asked).toEqual(["a", "b"]);
  });

  it("passes the listing it checked, so that the inner set can tell another one", async () => {
    const fake = new Fake(of("tool", "a"));
    await restrict(fake, hide()).call({ name: "a", arguments: { x: 1 }, context });
    expect(fake.calls[0]?.listing).toBe(fake.listings[0]);
    expect(fake.calls[0]?.arguments).toEqual({ x: 1 });
  });

  it("refuses when the listing is swapped between the check and the call", async () => {
    const fake = new Fake(of("tool", "a"));
    const inner = restrict(fake, hide());
    const swapping: ToolRule = () => {
      // The server relists after the outer view has looked and before the inner one does.
      fake.relist(of("tool", "a"));
      return allowed;
    };
    const outcome = await inner.restrict(swapping).call({ name: "a", arguments: {}, context });
    expect(outcome).toMatchObject({ structuredContent: { error: "UNKNOWN_TOOL" } });
    expect(fake.calls).toEqual([]);
  });

  it("never widens: a later rule gives nothing back", async () => {
    const fake = new Fake(of("tool", "a"), of("tool", "b"));
    const view = restrict(fake, hide("b")).restrict(() => allowed);
    expect((await view.list()).map(({ name }) => name)).toEqual(["a"]);
    await view.call({ name: "b", arguments: {}, context });
    expect(fake.calls).toEqual([]);
  });

  it("fails closed when a rule throws", async () => {
    const fake = new Fake(of("tool", "a"));
    const view = restrict(fake, () => {
      throw new TypeError("broken rule");
    });
    await expect(view.list()).rejects.toThrow("broken rule");
    await expect(view.call({ name: "a", arguments: {}, context })).rejects.toThrow("broken rule");
    expect(fake.calls).toEqual([]);
  });

  it("looks for whom the call is", async () => {
    const fake = new Fake(of("tool", "a"));
    const caller: Caller = { kind: "remote", id: "guest", scopes: [] };
    const call = { name: "a", arguments: {}, context: createCallContext({ caller }) };
    await restrict(fake, hide()).call(call);
    expect(fake.askedBy).toEqual([caller]);
  });

  it("passes on what is missing and what changes", () => {
    const fake = new Fake();
    const view = restrict(fake, hide());
    const seen: ListChange[] = [];
    const subscription = view.onChange((change) => seen.push(change));
    for (const listener of fake.listeners) listener({ kinds: ["tool"] });
    subscription[Symbol.dispose]();
    expect(seen).toEqual([{ kinds: ["tool"] }]);
    expect(fake.listeners.size).toBe(0);
    expect(view.missing()).toEqual(fake.missing());
  });
});

describe("restrict(): a source's requests", () => {
  const all = [
    of("prompt", "greet"),
    of("prompt", "hidden"),
    of("resource", "x://open"),
    of("resource", "x://hidden"),
    of("template", "x://{id}"),
    of("template", "y://hidden/{id}"),
  ];
  const view = () => {
    const fake = new Fake(...all);
    return { fake, view: restrict(fake, hide("hidden", "x://hidden", "y://hidden/{id}")) };
  };

  it("stays a source", () => {
    const fake = new Fake();
    expect(isSource(restrict(fake, hide()))).toBe(true);
    expect(isSource(restrict(fake, hide()).restrict(hide()))).toBe(true);
  });

  it.each([
    { method: "prompts/get", params: { name: "greet", arguments: { to: "you" } } },
    { method: "resources/read", params: { uri: "x://open" } },
    { method: "resources/read", params: { uri: "x://by-template" } },
    { method: "resources/subscribe", params: { uri: "x://open" } },
    { method: "completion/complete", params: { ref: { type: "ref/prompt", name: "greet" } } },
    { method: "completion/complete", params: { ref: { type: "ref/resource", uri: "x://{id}" } } },
    { method: "logging/setLevel", params: { level: "info" } },
    { method: "ping", params: {} },
  ])("passes $method with $params unchanged", async ({ method, params }) => {
    const { fake, view: source } = view();
    expect(await source.request(method, params, context)).toEqual({ answered: method });
    expect(fake.requests).toEqual([{ method, params }]);
  });

  it.each([
    { method: "prompts/get", params: { name: "hidden" }, error: "UNKNOWN_PROMPT" },
    { method: "prompts/get", params: { name: "nope" }, error: "UNKNOWN_PROMPT" },
    { method: "prompts/get", params: {}, error: "INVALID_ARGUMENTS" },
    { method: "resources/read", params: { uri: "x://hidden" }, error: "UNKNOWN_RESOURCE" },
    { method: "resources/read", params: { uri: "y://hidden/1" }, error: "UNKNOWN_RESOURCE" },
    { method: "resources/read", params: { uri: "file:///etc/passwd" }, error: "UNKNOWN_RESOURCE" },
    { method: "resources/subscribe", params: { uri: "x://hidden" }, error: "UNKNOWN_RESOURCE" },
    {
      method: "completion/complete",
      params: { ref: { type: "ref/prompt", name: "hidden" } },
      error: "UNKNOWN_PROMPT",
    },
    {
      method: "completion/complete",
      params: { ref: { type: "ref/resource", uri: "y://hidden/{id}" } },
      error: "UNKNOWN_RESOURCE",
    },
    { method: "tools/call", params: { name: "a" }, error: "UNKNOWN_METHOD" },
    { method: "tools/list", params: {}, error: "UNKNOWN_METHOD" },
    { method: "prompts/list", params: {}, error: "UNKNOWN_METHOD" },
    { method: "resources/list", params: {}, error: "UNKNOWN_METHOD" },
    { method: "resources/templates/list", params: {}, error: "UNKNOWN_METHOD" },
    { method: "x-vendor/run", params: { tool: "a" }, error: "UNKNOWN_METHOD" },
    { method: "tasks/list", params: {}, error: "UNKNOWN_METHOD" },
  ])("refuses $method with $params as $error", async ({ method, params, error }) => {
    const { fake, view: source } = view();
    expect(await code(source.request(method, params, context))).toBe(error);
    expect(fake.requests).toEqual([]);
  });

  it("says the same of a hidden prompt as of one that does not exist", async () => {
    expect(await say(view().view)).toBe(await say(new Fake().restrict(hide())));
  });
});
