import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createCallContext, type Caller } from "./call-context.js";
import { defineTool } from "./define-tool.js";
import type { JsonObject } from "./json.js";
import type { Listing, ListingKind } from "./listing.js";
import { toolSet } from "./local-tools.js";
import { mergeToolSets } from "./merge-tool-sets.js";
import { allowed, refused } from "./tool-rule.js";
import { textResult } from "./tool-result.js";
import { isSource, type ListChange, type ListContext, type Source } from "./tool-set.js";
import { restrict } from "./view.js";

const context = createCallContext();
const local = (server: string, ...names: readonly string[]) =>
  toolSet(
    names.map((name) =>
      defineTool({
        name,
        description: name,
        input: z.object({}),
        run: () => `${server} ran ${name}`,
      }),
    ),
    { server },
  );
const of = (kind: ListingKind, name: string, server: string): Listing => ({
  kind,
  server,
  name,
  originalName: name,
  tags: [],
  checkpaths: [],
  raw: {},
});

/** A source with fixed listings, that signs what it answers. */
function sourceOf(
  server: string,
  listings: readonly Listing[],
  answer: (method: string) => Promise<JsonObject> = () => Promise.resolve({ by: server }),
) {
  const listeners = new Set<(change: ListChange) => void>();
  const kept = new Map<string, readonly Listing[]>();
  const list = ({ kinds = ["tool"] }: ListContext = {}) => {
    const key = kinds.join();
    const found = kept.get(key) ?? listings.filter(({ kind }) => kinds.includes(kind));
    kept.set(key, found);
    return Promise.resolve(found);
  };
  const source: Source = {
    list,
    call: ({ name }) => Promise.resolve(textResult(`${server} ran ${name}`)),
    request: answer,
    restrict: (rule) => restrict(source, rule),
    missing: () => [{ server, reason: "It does not answer.", since: 1 }],
    onChange: (listener) => {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  };
  return { source, listeners };
}

describe("mergeToolSets(): listing and calling", () => {
  it("lists the sets in order; a name that two have belongs to the first", async () => {
    const merged = mergeToolSets(local("one", "a", "b"), local("two", "b", "c"));
    expect((await merged.list()).map(({ server, name }) => `${server}/${name}`)).toEqual([
      "one/a",
      "one/b",
      "two/c",
    ]);
  });

  it.each([
    { name: "b", text: "one ran b" },
    { name: "c", text: "two ran c" },
  ])("calls $name of the set that lists it", async ({ name, text }) => {
    const merged = mergeToolSets(local("one", "a", "b"), local("two", "b", "c"));
    expect(await merged.call({ name, arguments: {}, context })).toEqual(textResult(text));
  });

  it("knows no tool that none of them lists, and none when there are no sets", async () => {
    const call = { name: "x", arguments: {}, context };
    const unknown = { structuredContent: { error: "UNKNOWN_TOOL" } };
    expect(await mergeToolSets(local("one", "a")).call(call)).toMatchObject(unknown);
    expect(await mergeToolSets().call(call)).toMatchObject(unknown);
    expect(await mergeToolSets().list()).toEqual([]);
  });

  it("does not fall back on the second set for a name that the first one hides below", async () => {
    const first = local("one", "a").restrict(() => refused("no"));
    const merged = mergeToolSets(first, local("two", "a"));
    expect((await merged.list()).map(({ server }) => server)).toEqual(["two"]);
    expect(await merged.call({ name: "a", arguments: {}, context })).toEqual(
      textResult("two ran a"),
    );
  });

  it("refuses a call that was checked against the other set's listing of the name", async () => {
    const [listing] = await local("two", "a").list();
    if (listing === undefined) throw listing;
    const merged = mergeToolSets(local("one", "a"), local("two", "a"));
    expect(await merged.call({ name: "a", arguments: {}, context, listing })).toMatchObject({
      structuredContent: { error: "UNKNOWN_TOOL" },
    });
  });

  it("keeps its array while the parts keep theirs, also where callers see different parts", async () => {
    const guest: Caller = { kind: "remote", id: "guest", scopes: [] };
    const [full, few] = [local("two", "b", "c"), local("two", "b")];
    const byCaller = { ...sourceOf("two", []).source };
    byCaller.list = (asked) => (asked?.caller === guest ? few : full).list(asked);
    const merged = mergeToolSets(local("one", "a"), byCaller);
    const forAll = await merged.list();
    const forGuest = await merged.list({ caller: guest });
    expect([forAll.length, forGuest.length]).toEqual([3, 2]);
    expect(await merged.list()).toBe(forAll);
    expect(await merged.list({ caller: guest })).toBe(forGuest);
    expect(forAll[0]).toBe(forGuest[0]);
  });

  it("keeps one array for each combination of kinds", async () => {
    const listings = [of("tool", "a", "s"), of("prompt", "p", "s")];
    const merged = mergeToolSets(sourceOf("s", listings).source);
    const prompts = await merged.list({ kinds: ["prompt"] });
    expect(await merged.list()).toHaveLength(1);
    expect(await merged.list({ kinds: ["prompt"] })).toBe(prompts);
  });

  it("keeps a tool and a prompt of one name apart", async () => {
    const one = sourceOf("one", [of("tool", "x", "one")]).source;
    const two = sourceOf("two", [of("prompt", "x", "two")]).source;
    const merged = mergeToolSets(one, two);
    expect(await merged.list({ kinds: ["tool", "prompt"] })).toHaveLength(2);
    expect(await merged.request("prompts/get", { name: "x" }, context)).toEqual({ by: "two" });
  });

  it("gathers what is missing, and tells of every part's changes until disposed", () => {
    const [one, two] = [sourceOf("one", []), sourceOf("two", [])];
    const merged = mergeToolSets(one.source, two.source);
    const seen: ListChange[] = [];
    const subscription = merged.onChange((change) => seen.push(change));
    for (const { listeners } of [one, two])
      for (const listener of listeners) listener({ kinds: ["tool"] });
    subscription[Symbol.dispose]();
    expect(seen).toHaveLength(2);
    expect([one.listeners.size, two.listeners.size]).toEqual([0, 0]);
    expect(merged.missing().map(({ server }) => server)).toEqual(["one", "two"]);
  });

  it("narrows like any other set", async () => {
    const merged = mergeToolSets(local("one", "a"), local("two", "b"));
    const view = merged.restrict(({ server }) => (server === "one" ? allowed : refused("no")));
    expect((await view.list()).map(({ name }) => name)).toEqual(["a"]);
    expect(isSource(view)).toBe(true);
  });
});

describe("mergeToolSets(): requests", () => {
  const one = sourceOf("one", [of("resource", "x://a", "one"), of("template", "y://{id}", "one")]);
  const two = sourceOf("two", [of("resource", "x://a", "two"), of("prompt", "p", "two")]);
  const merged = mergeToolSets(local("own", "a"), one.source, two.source);

  it.each([
    { method: "resources/read", params: { uri: "x://a" }, by: "one" },
    { method: "resources/read", params: { uri: "y://7" }, by: "one" },
    { method: "prompts/get", params: { name: "p" }, by: "two" },
    {
      method: "completion/complete",
      params: { ref: { type: "ref/prompt", name: "p" } },
      by: "two",
    },
  ])("sends $method with $params to the source that lists it", async ({ method, params, by }) => {
    expect(await merged.request(method, params, context)).toEqual({ by });
  });

  it.each([
    { method: "resources/read", params: { uri: "z://a" }, error: "UNKNOWN_RESOURCE" },
    { method: "prompts/get", params: { name: "a" }, error: "UNKNOWN_PROMPT" },
    { method: "prompts/get", params: {}, error: "INVALID_ARGUMENTS" },
    { method: "tools/call", params: { name: "a" }, error: "UNKNOWN_METHOD" },
    { method: "resources/list", params: {}, error: "UNKNOWN_METHOD" },
  ])("refuses $method with $params as $error", async ({ method, params, error }) => {
    await expect(merged.request(method, params, context)).rejects.toMatchObject({ code: error });
  });

  it("sends what is about no listing to every source; the first that can answers", async () => {
    const asked: string[] = [];
    const noting = (server: string, answers: boolean) =>
      sourceOf(server, [], (method) => {
        asked.push(`${server} ${method}`);
        return answers ? Promise.resolve({ by: server }) : Promise.reject(new TypeError("no"));
      }).source;
    const several = mergeToolSets(noting("a", false), noting("b", true), noting("c", true));
    expect(await several.request("logging/setLevel", { level: "info" }, context)).toEqual({
      by: "b",
    });
    expect(asked).toEqual(["a", "b", "c"].map((server) => `${server} logging/setLevel`));
  });

  it("rejects as the first source does when none can answer, and as unknown without any", async () => {
    const broken = new TypeError("connection lost");
    const failing = sourceOf("a", [], () => Promise.reject(broken)).source;
    await expect(mergeToolSets(failing).request("ping", {}, context)).rejects.toBe(broken);
    await expect(
      mergeToolSets(local("own", "a")).request("ping", {}, context),
    ).rejects.toMatchObject({ code: "UNKNOWN_METHOD" });
  });
});
