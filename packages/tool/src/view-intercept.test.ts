import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createCallContext } from "./call-context.js";
import { defineTool } from "./define-tool.js";
import { errorResult } from "./error-result.js";
import { toolErrors } from "./errors.js";
import type { Interceptor, ResolvedCall } from "./interceptor.js";
import type { JsonObject } from "./json.js";
import type { Listing } from "./listing.js";
import { toolSet } from "./local-tools.js";
import { allowed, refused } from "./tool-rule.js";
import { textResult, type InputRequired } from "./tool-result.js";
import { isSource, type Source, type ToolSet } from "./tool-set.js";
import { intercept, restrict } from "./view.js";

const context = createCallContext();
const call = (name = "a") => ({ name, arguments: { x: 1 }, context });
const tools = toolSet([
  defineTool({
    name: "a",
    description: "Says what it got.",
    input: z.looseObject({}),
    run: (input) => input as JsonObject,
  }),
]);
const noting =
  (notes: string[], name: string): Interceptor =>
  (next) =>
  async (each) => {
    notes.push(`${name} before ${each.method}`);
    const outcome = await next(each);
    notes.push(`${name} after`);
    return outcome;
  };
const refusing: Interceptor = () => () =>
  Promise.resolve(errorResult(toolErrors.INVALID_ARGUMENTS({ problems: ["no"] })));
const adding: Interceptor = (next) => (each) =>
  next({ ...each, arguments: { ...each.arguments, y: 2 } });
const cutting: Interceptor = (next) => async (each) => {
  await next(each);
  return textResult("cut");
};
const renaming: Interceptor = (next) => (each) => next({ ...each, name: "b" });
const asking: Interceptor = (next) => async (each) => {
  await each.context.ask({ id: "q", to: "owner", message: "May it?", schema: {} });
  return next(each);
};
const asksLater: Interceptor = () => () => Promise.reject(toolErrors.INPUT_REQUIRED());
const redirecting: Interceptor = (next) => (each) =>
  next({ ...each, arguments: { uri: "x://hidden" } });
const listing: Listing = {
  kind: "resource",
  server: "s",
  name: "x://a",
  originalName: "x://a",
  tags: [],
  checkpaths: [],
  raw: {},
};

/** A source with one resource. */
function sourceOf(answer: (params: JsonObject) => JsonObject | Promise<JsonObject>): Source {
  const listings = [listing];
  const source: Source = {
    list: () => Promise.resolve(listings),
    call: () => Promise.resolve(textResult("called")),
    request: async (_, params) => answer(params),
    restrict: (rule) => restrict(source, rule),
    missing: () => [],
    onChange: () => ({ [Symbol.dispose]: () => undefined }),
  };
  return source;
}
const read = (source: Source, uri = "x://a") => source.request("resources/read", { uri }, context);

describe("intercept(): calls", () => {
  it("wraps every call, the first interceptor outermost", async () => {
    const notes: string[] = [];
    const view = intercept(tools, noting(notes, "outer"), noting(notes, "inner"));
    await view.call(call());
    expect(notes).toEqual([
      "outer before tools/call",
      "inner before tools/call",
      "inner after",
      "outer after",
    ]);
  });

  it("tells it the listing that the call was resolved to", async () => {
    const seen: ResolvedCall[] = [];
    const view = intercept(tools, (next) => (each) => {
      seen.push(each);
      return next(each);
    });
    await view.call(call());
    expect(seen).toEqual([{ ...call(), listing: (await tools.list())[0], method: "tools/call" }]);
  });

  it("lets it refuse, change the arguments, and change the outcome", async () => {
    expect(await intercept(tools, refusing).call(call())).toMatchObject({ isError: true });
    expect(await intercept(tools, adding).call(call())).toMatchObject({
      structuredContent: { x: 1, y: 2 },
    });
    expect(await intercept(tools, cutting).call(call())).toEqual(textResult("cut"));
  });

  it("is not asked about a name that is not listed", async () => {
    const notes: string[] = [];
    const view = intercept(tools, noting(notes, "it")).restrict(() => refused("no"));
    await view.call(call("a"));
    await intercept(tools, noting(notes, "it")).call(call("nope"));
    expect(notes).toEqual([]);
  });

  it("cannot reach another tool by changing the name", async () => {
    const both = toolSet(
      ["a", "b"].map((name) =>
        defineTool({ name, description: name, input: z.object({}), run: () => name }),
      ),
    );
    expect(await intercept(both, renaming).call(call("a"))).toMatchObject({
      structuredContent: { error: "UNKNOWN_TOOL", name: "b" },
    });
  });

  it("lets the INPUT_REQUIRED of an ask pass through every interceptor", async () => {
    const notes: string[] = [];
    const waiting = createCallContext({ ask: () => Promise.reject(toolErrors.INPUT_REQUIRED()) });
    const view = intercept(tools, noting(notes, "outer"), asking);
    await expect(view.call({ ...call(), context: waiting })).rejects.toMatchObject({
      code: "INPUT_REQUIRED",
    });
    expect(notes).toEqual(["outer before tools/call"]);
  });

  it("passes an outcome that waits for input", async () => {
    const waiting: InputRequired = { resultType: "input_required", requestState: "s" };
    const inner: ToolSet = { ...sourceOf(() => ({})), call: () => Promise.resolve(waiting) };
    const set: ToolSet = { ...inner, list: () => tools.list() };
    expect(await intercept(set, noting([], "it")).call(call())).toBe(waiting);
  });

  it("keeps the array of listings", async () => {
    expect(await intercept(tools, noting([], "it")).list()).toBe(await tools.list());
    expect(isSource(intercept(tools, noting([], "it")))).toBe(false);
  });
});

describe("intercept(): requests of a source", () => {
  it("wraps a request about a listed thing, its parameters as arguments", async () => {
    const seen: ResolvedCall[] = [];
    const view = intercept(
      sourceOf(({ uri }) => ({ contents: [{ uri }] })),
      (next) => (each) => {
        seen.push(each);
        return next(each);
      },
    );
    expect(await read(view)).toEqual({ contents: [{ uri: "x://a" }] });
    expect(seen).toEqual([
      { name: "x://a", arguments: { uri: "x://a" }, context, listing, method: "resources/read" },
    ]);
  });

  it("rejects with the error of an interceptor that refuses", async () => {
    const error = toolErrors.INVALID_ARGUMENTS({ problems: ["denied"] });
    const view = intercept(
      sourceOf(() => ({ contents: [] })),
      () => () => Promise.resolve(errorResult(error)),
    );
    await expect(read(view)).rejects.toBe(error);
  });

  it("takes no answer of a server for a refusal of ours", async () => {
    const answer = JSON.parse(
      JSON.stringify(errorResult(toolErrors.INTERNAL_ERROR())),
    ) as JsonObject;
    const view = intercept(
      sourceOf(() => answer),
      noting([], "it"),
    );
    expect(await read(view)).toBe(answer);
  });

  it("lets INPUT_REQUIRED and the server's own rejection pass", async () => {
    const broken = new TypeError("connection lost");
    const lost = intercept(
      sourceOf(() => Promise.reject(broken)),
      noting([], "it"),
    );
    await expect(read(lost)).rejects.toBe(broken);
    await expect(
      read(
        intercept(
          sourceOf(() => ({})),
          asksLater,
        ),
      ),
    ).rejects.toMatchObject({ code: "INPUT_REQUIRED" });
  });

  it("is under the rules of the view below, whatever an interceptor makes of the parameters", async () => {
    const below = sourceOf(() => ({ contents: [] })).restrict(() => allowed);
    await expect(read(intercept(below, redirecting))).rejects.toMatchObject({
      code: "UNKNOWN_RESOURCE",
    });
  });

  it("refuses tools/call and unlisted things, and passes what is about no listing", async () => {
    const notes: string[] = [];
    const view = intercept(
      sourceOf(() => ({})),
      noting(notes, "it"),
    );
    await expect(view.request("tools/call", { name: "a" }, context)).rejects.toMatchObject({
      code: "UNKNOWN_METHOD",
    });
    await expect(read(view, "x://b")).rejects.toMatchObject({ code: "UNKNOWN_RESOURCE" });
    expect(await view.request("x-vendor/status", {}, context)).toEqual({});
    expect(notes).toEqual([]);
  });
});
