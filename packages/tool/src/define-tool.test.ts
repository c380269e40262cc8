import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createCallContext } from "./call-context.js";
import { defineTool, type ToolDefinition } from "./define-tool.js";
import { findResultError } from "./error-result.js";
import { toolErrors } from "./errors.js";
import type { JsonValue } from "./json.js";
import { createResult, type ToolResult } from "./tool-result.js";

const echo = (parts: Partial<ToolDefinition<z.ZodObject>> = {}) =>
  defineTool({
    name: "echo",
    description: "Says the text again.",
    input: z.object({ text: z.string() }),
    run: ({ text }) => text as string,
    ...parts,
  });
const answering = (answer: () => JsonValue | ToolResult | Promise<JsonValue>) =>
  echo({ run: answer }).run({ text: "x" });
const code = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return (error as { readonly code?: string }).code;
  }
};

const toLengths = (result: ToolResult): unknown => {
  const data = findResultError(result)?.data as { readonly problems?: readonly string[] };
  return data.problems?.map(({ length }) => length);
};

describe("defineTool(): the listing", () => {
  it("says everything it was given, and no more", () => {
    const tool = echo({
      title: "Echo",
      input: z.object({ text: z.string().describe("What to say."), path: z.string().optional() }),
      output: z.object({ said: z.string() }),
      tags: ["web"],
      checkpaths: ["path"],
      annotations: { readOnlyHint: true },
    });
    expect(tool.listing).toEqual({
      kind: "tool",
      server: "",
      name: "echo",
      originalName: "echo",
      tags: ["web"],
      checkpaths: ["path"],
      annotations: { readOnlyHint: true },
      raw: {
        name: "echo",
        title: "Echo",
        description: "Says the text again.",
        inputSchema: {
          $schema: "https://json-schema.org/draft/2020-12/schema",
          type: "object",
          properties: {
            text: { type: "string", description: "What to say." },
            path: { type: "string" },
          },
          required: ["text"],
        },
        outputSchema: {
          $schema: "https://json-schema.org/draft/2020-12/schema",
          type: "object",
          properties: { said: { type: "string" } },
          required: ["said"],
          additionalProperties: false,
        },
        annotations: { readOnlyHint: true },
        _meta: { "dev.postern/tags": ["web"], "dev.postern/checkpaths": ["path"] },
      },
    });
  });

  it("has no empty members", () => {
    const { listing } = echo();
    expect(Object.keys(listing.raw)).toEqual(["name", "description", "inputSchema"]);
    expect("annotations" in listing).toBe(false);
  });

  it("is plain JSON, frozen to the ground", () => {
    const { raw } = echo({ tags: ["a"] }).listing;
    const schema = raw["inputSchema"] as { readonly properties: { readonly text: object } };
    expect(structuredClone(raw)).toEqual(JSON.parse(JSON.stringify(raw)));
    expect(Object.isFrozen(schema.properties.text)).toBe(true);
  });

  it("keeps no hold of the definition's lists, and writes to none", () => {
    const tags = ["web"];
    const tool = defineTool(
      Object.freeze({
        name: "t",
        description: "d",
        input: z.object({}),
        tags,
        annotations: Object.freeze({ readOnlyHint: true }),
        run: () => "x",
      }),
    );
    tags.push("code");
    expect(tool.listing.tags).toEqual(["web"]);
  });

  it.each(["", "a b", "a.b", "a/b", "é", "a\n", "x".repeat(65)])("refuses the name %j", (name) => {
    expect(code(() => echo({ name }))).toBe("INVALID_TOOL");
  });

  it("takes a name of 64 characters", () => {
    expect(echo({ name: "x".repeat(64) }).listing.name).toHaveLength(64);
  });

  it("refuses an argument schema that JSON Schema cannot say", () => {
    expect(code(() => echo({ input: z.object({ at: z.date() }) }))).toBe("INVALID_TOOL");
  });

  it("refuses checkpaths that name no argument, which nobody would gate", () => {
    expect(() => echo({ checkpaths: ["txet"] })).toThrow(
      'The tool "echo" is not defined well: checkpaths names no argument of it: txet.',
    );
    expect(code(() => echo({ checkpaths: ["toString"] }))).toBe("INVALID_TOOL");
  });
});

describe("defineTool(): run", () => {
  it("hands over parsed arguments: defaults filled in, unknown members left out", async () => {
    const seen: unknown[] = [];
    const tool = echo({
      input: z.object({ text: z.string(), times: z.number().default(2) }),
      run: (input) => {
        seen.push(input);
        return "ok";
      },
    });
    await tool.run({ text: "a", stray: true });
    expect(seen).toEqual([{ text: "a", times: 2 }]);
  });

  it("refuses arguments that do not fit, naming each fault, and does not run", async () => {
    const tool = echo({
      input: z.object({ text: z.string(), at: z.object({ line: z.number() }) }),
      run: () => {
        throw new TypeError("it ran");
      },
    });
    const result = await tool.run({ at: { line: "x" } });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error: "INVALID_ARGUMENTS" },
    });
    expect(findResultError(result)?.data).toEqual({
      problems: [
        "text: Invalid input: expected string, received undefined",
        "at.line: Invalid input: expected number, received string",
      ],
    });
  });

  it("names at most 20 faults, each in at most 200 characters", async () => {
    const tool = echo({ input: z.strictObject({ list: z.array(z.number()) }) });
    const many = await tool.run({ list: Array.from({ length: 50 }, () => "x") });
    const long = await tool.run({ list: [], ["k".repeat(5_000)]: 1 });
    expect(toLengths(many)).toHaveLength(20);
    expect(toLengths(long)).toEqual([200]);
  });

  it("checks what is checked asynchronously", async () => {
    const tool = echo({
      input: z.object({ text: z.string().refine(async (text) => text !== "taken", "is taken") }),
    });
    expect(await tool.run({ text: "free" })).toEqual({ content: [{ type: "text", text: "free" }] });
    expect(findResultError(await tool.run({ text: "taken" }))?.data).toEqual({
      problems: ["text: is taken"],
    });
  });

  it.each([
    { answer: "words", result: { content: [{ type: "text", text: "words" }] } },
    {
      answer: { a: 1 },
      result: { content: [{ type: "text", text: '{"a":1}' }], structuredContent: { a: 1 } },
    },
    {
      answer: [1, 2],
      result: { content: [{ type: "text", text: "[1,2]" }], structuredContent: [1, 2] },
    },
    { answer: 0, result: { content: [{ type: "text", text: "0" }], structuredContent: 0 } },
    {
      answer: null,
      result: { content: [{ type: "text", text: "null" }], structuredContent: null },
    },
    {
      answer: undefined,
      result: { content: [{ type: "text", text: "null" }], structuredContent: null },
    },
    {
      answer: { content: [], isError: true },
      result: {
        content: [{ type: "text", text: '{"content":[],"isError":true}' }],
        structuredContent: { content: [], isError: true },
      },
    },
  ])("turns the answer $answer into a result", async ({ answer, result }) => {
    expect(await answering(() => answer as JsonValue)).toEqual(result);
  });

  it("passes a created result whole", async () => {
    const made = createResult({ content: [], _meta: { a: 1 } });
    expect(await answering(() => made)).toBe(made);
  });

  it("turns a thrown error of ours into an error result", async () => {
    const result = await answering(() => {
      throw toolErrors.UNKNOWN_RESOURCE({ uri: "x://a" });
    });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error: "UNKNOWN_RESOURCE", uri: "x://a" },
    });
  });

  it.each([
    { what: "thrown", act: () => Promise.reject(new TypeError("sk-canary")) },
    { what: "a value JSON cannot hold", act: () => ({ secret: "sk-canary", n: 1n }) as never },
    {
      what: "thrown by a check",
      act: () => {
        throw "sk-canary";
      },
    },
  ])("leaks nothing of another failure: $what", async ({ act }) => {
    const result = await answering(act);
    expect(JSON.stringify(result)).not.toContain("sk-canary");
    expect(findResultError(result)?.code).toBe("INTERNAL_ERROR");
  });

  it("turns an argument check that throws into an error result too", async () => {
    const tool = echo({
      input: z.object({
        text: z.string().refine(() => {
          throw new TypeError("sk-canary");
        }),
      }),
    });
    expect(findResultError(await tool.run({ text: "a" }))?.code).toBe("INTERNAL_ERROR");
  });

  it("lets the INPUT_REQUIRED of an ask pass as a rejection", async () => {
    const tool = echo({
      run: async (_, { ask }) =>
        (await ask({ id: "q", to: "owner", message: "?", schema: {} })).action,
    });
    const waiting = createCallContext({ ask: () => Promise.reject(toolErrors.INPUT_REQUIRED()) });
    await expect(tool.run({ text: "x" }, waiting)).rejects.toMatchObject({
      code: "INPUT_REQUIRED",
    });
    expect(await tool.run({ text: "x" })).toEqual({ content: [{ type: "text", text: "cancel" }] });
  });
});

describe("defineTool(): a fixed output", () => {
  const output = z.object({ count: z.number(), note: z.string().default("none") });
  const counting = (answer: JsonValue | ToolResult) =>
    echo({ output, run: () => answer }).run({ text: "x" });

  it("gives what the output schema says: defaults filled in, other members left out", async () => {
    expect(await counting({ count: 1, internal: "x" })).toEqual({
      content: [{ type: "text", text: '{"count":1,"note":"none"}' }],
      structuredContent: { count: 1, note: "none" },
    });
  });

  it("keeps the content of a created result", async () => {
    const content = [{ type: "text", text: "One." }];
    expect(await counting(createResult({ content, structuredContent: { count: 1 } }))).toEqual({
      content,
      structuredContent: { count: 1, note: "none" },
    });
  });

  it.each<{ answer: JsonValue | ToolResult }>([
    { answer: { count: "one" } },
    { answer: "one" },
    { answer: null },
    { answer: createResult({ content: [] }) },
  ])("refuses the answer $answer, which a client would refuse", async ({ answer }) => {
    const result = await counting(answer);
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error: "OUTPUT_MISMATCH" },
    });
  });

  it("passes an error result, which need not fit", async () => {
    const failed = createResult({ content: [], isError: true });
    expect(await counting(failed)).toBe(failed);
  });
});
