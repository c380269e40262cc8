import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createCallContext } from "./call-context.js";
import { defineTool } from "./define-tool.js";
import { toolSet } from "./local-tools.js";
import { isSource } from "./tool-set.js";

const context = createCallContext();
const named = (name: string) =>
  defineTool({ name, description: name, input: z.object({}), run: () => `${name} ran` });

describe("toolSet()", () => {
  it("lists in the order given, and the same array every time", async () => {
    const set = toolSet([named("b"), named("a")], { server: "mine" });
    const listings = await set.list();
    expect(listings.map(({ name, server }) => `${server}/${name}`)).toEqual(["mine/b", "mine/a"]);
    expect(await set.list({ kinds: ["prompt", "tool"] })).toBe(listings);
    expect(Object.isFrozen(listings) && listings.every((each) => Object.isFrozen(each))).toBe(true);
  });

  it("has nothing but tools", async () => {
    const set = toolSet([named("a")]);
    expect(await set.list({ kinds: ["prompt", "resource", "template"] })).toEqual([]);
    expect(isSource(set)).toBe(false);
  });

  it("calls by name", async () => {
    const outcome = await toolSet([named("a")]).call({ name: "a", arguments: {}, context });
    expect(outcome).toEqual({ content: [{ type: "text", text: "a ran" }] });
  });

  it.each(["A", "a ", "b", "", "constructor", "__proto__"])("knows no tool %j", async (name) => {
    const outcome = await toolSet([named("a")]).call({ name, arguments: {}, context });
    expect(outcome).toMatchObject({ isError: true, structuredContent: { error: "UNKNOWN_TOOL" } });
  });

  it("refuses a call that was checked against another listing", async () => {
    const [foreign] = await toolSet([named("a")]).list();
    if (foreign === undefined) throw foreign;
    const call = { name: "a", arguments: {}, context, listing: foreign };
    expect(await toolSet([named("a")]).call(call)).toMatchObject({
      structuredContent: { error: "UNKNOWN_TOOL" },
    });
  });

  it("refuses two tools of one name", () => {
    expect(() => toolSet([named("a"), named("a")])).toThrow(
      'The tool "a" is not defined well: its name is used twice.',
    );
  });

  it("misses no server and never changes", () => {
    const set = toolSet([]);
    expect(set.missing()).toEqual([]);
    using subscription = set.onChange(() => undefined);
    expect(subscription[Symbol.dispose]).toBeTypeOf("function");
  });
});
