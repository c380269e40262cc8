import { expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type {
  CallOutcome,
  Decision,
  InputRequired,
  Interceptor,
  Listing,
  Source,
  Tool,
  ToolResult,
  ToolRule,
  ToolSet,
} from "./index.js";
import {
  allowed,
  defineTool,
  intercept,
  isInputRequired,
  mergeToolSets,
  refused,
  restrict,
  toolSet,
} from "./index.js";

const rule: ToolRule = () => allowed;
const interceptor: Interceptor = (next) => next;
const narrow = (outcome: CallOutcome): string => {
  if (isInputRequired(outcome)) {
    expectTypeOf(outcome).toExtend<InputRequired>();
    return "waits";
  }
  expectTypeOf(outcome).toEqualTypeOf<ToolResult>();
  return "done";
};
const rename = (listing: Listing): void => {
  // @ts-expect-error -- a listing is immutable
  listing.name = "other";
};

it("types the arguments of a tool by its schema", () => {
  const tool = defineTool({
    name: "t",
    description: "d",
    input: z.object({
      text: z.string(),
      times: z.number().default(1),
      note: z.string().optional(),
    }),
    run: (input, context) => {
      expectTypeOf(input).toEqualTypeOf<{
        text: string;
        times: number;
        note?: string | undefined;
      }>();
      expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
      return input.text;
    },
  });
  expectTypeOf(tool).toEqualTypeOf<Tool>();
  expect(tool.listing.name).toBe("t");
});

it("refuses at compile time an answer that JSON cannot hold, and arguments that are no object", () => {
  const base = { name: "t", description: "d", input: z.object({}) };
  // @ts-expect-error -- a function is no JSON
  defineTool({ ...base, run: () => () => "x" });
  // @ts-expect-error -- a bigint is no JSON
  defineTool({ ...base, run: () => 1n });
  // @ts-expect-error -- arguments are an object
  const scalar = () => defineTool({ ...base, input: z.string(), run: () => "x" });
  expect(scalar).toBeTypeOf("function");
});

it("keeps a source a source, and a set a set, through views", () => {
  const set = toolSet([]);
  const source = mergeToolSets(set);
  expectTypeOf(restrict(set, rule)).toEqualTypeOf<ToolSet>();
  expectTypeOf(restrict(source, rule)).toEqualTypeOf<Source>();
  expectTypeOf(intercept(set, interceptor)).toEqualTypeOf<ToolSet>();
  expectTypeOf(intercept(source, interceptor)).toEqualTypeOf<Source>();
  expectTypeOf(source.restrict(rule)).toEqualTypeOf<Source>();
  expectTypeOf<Source>().toExtend<ToolSet>();
  expectTypeOf<ToolSet>().not.toExtend<Source>();
  expect(source).not.toBe(set);
});

it("narrows an outcome by whether it waits for input", () => {
  expect(narrow({ content: [] })).toBe("done");
});

it("gives a reason only with a refusal, frozen", () => {
  const decision: Decision = refused("no");
  // @ts-expect-error -- a decision that allows has no reason
  const reason: unknown = decision.reason;
  expect([reason, Object.isFrozen(decision), Object.isFrozen(allowed)]).toEqual(["no", true, true]);
});

it("makes listings read-only", () => {
  expect(() =>
    rename(defineTool({ name: "t", description: "", input: z.object({}), run: () => "" }).listing),
  ).toThrow(TypeError);
});
