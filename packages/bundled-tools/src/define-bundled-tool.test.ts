import { describe, expect, it, vi } from "vitest";
import { findResultError } from "@postern/tool";
import { z } from "zod";
import { defineBundledTool, toFailed } from "./define-bundled-tool.js";
import { bundledErrors } from "./errors.js";

type Run = () => Promise<{ files: string[] } | ReturnType<typeof toFailed<{ files: string[] }>>>;

const define = (run: Run, guard = { isRoot: () => false, allowRoot: () => false }) =>
  defineBundledTool(
    {
      name: "look",
      title: "Look",
      description: "Looks.",
      input: z.strictObject({ limit: z.int().default(3) }),
      output: z.strictObject({ files: z.array(z.string()) }),
      empty: { files: [] },
      tags: ["files"],
      annotations: { readOnlyHint: true },
      run,
    },
    guard,
  );

const found: Run = () => Promise.resolve({ files: ["a"] });
const lost = (): Promise<never> => Promise.reject(bundledErrors.PATH_NOT_FOUND({ path: "a" }));

describe("defineBundledTool()", () => {
  it("gives the whole answer as structured content and as JSON text", async () => {
    expect(await define(found).run({})).toEqual({
      structuredContent: { files: ["a"], error: "" },
      content: [{ type: "text", text: '{"files":["a"],"error":""}' }],
    });
  });

  it("declares its output: the tool's fields, error and code", () => {
    expect(define(found).listing.raw["outputSchema"]).toMatchObject({
      required: ["files", "error"],
      additionalProperties: false,
      properties: { code: { type: "string" } },
    });
  });

  it("adds the tag bundled", () => {
    expect(define(found).listing.tags).toEqual(["bundled", "files"]);
  });

  it("answers a failure in the same shape, with its sentence and its code", async () => {
    const result = await define(lost).run({});
    const error = bundledErrors.PATH_NOT_FOUND({ path: "a" }).message;
    const data = { files: [], error, code: "PATH_NOT_FOUND" };
    expect(result).toEqual({
      isError: true,
      structuredContent: data,
      content: [{ type: "text", text: JSON.stringify(data) }],
    });
  });

  it("answers a failure with what it has to show", async () => {
    const error = bundledErrors.CANCELLED();
    const tool = define(() => Promise.resolve(toFailed(error, { files: ["half"] })));
    expect((await tool.run({})).structuredContent).toEqual({
      files: ["half"],
      error: error.message,
      code: "CANCELLED",
    });
  });

  it("names an argument that it does not know, in its own shape", async () => {
    expect((await define(found).run({ limt: 3 })).structuredContent).toEqual({
      files: [],
      error: expect.stringContaining("limt"),
      code: "INVALID_ARGUMENTS",
    });
  });

  it("uses the default for a null that means nothing", async () => {
    expect(await define(found).run({ limit: null })).not.toHaveProperty("isError");
  });

  it("leaks nothing of an error that is not ours, and keeps it for the log", async () => {
    const thrown = new TypeError("secret");
    const result = await define(() => Promise.reject(thrown)).run({});
    expect(result.structuredContent).toMatchObject({ files: [], code: "INTERNAL_ERROR" });
    expect(JSON.stringify(result)).not.toContain("secret");
    expect(findResultError(result)?.cause).toBe(thrown);
  });

  it("refuses for the root user, names the variable, and never runs the tool", async () => {
    const run = vi.fn<Run>();
    const result = await define(run, { isRoot: () => true, allowRoot: () => false }).run({});
    expect(result.structuredContent).toMatchObject({
      files: [],
      code: "ROOT_REFUSED",
      error: expect.stringContaining("POSTERN_ALLOW_ROOT_TOOLS"),
    });
    expect(run).not.toHaveBeenCalled();
  });
});
