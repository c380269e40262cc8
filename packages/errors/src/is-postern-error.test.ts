import { copyFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openFolder } from "@postern/test-kit";
import { describe, expect, expectTypeOf, it } from "vitest";
import { defineErrors } from "./define-errors.js";
import { isPosternError } from "./is-postern-error.js";
import type * as Errors from "./index.js";
import { errorBrand, PosternError } from "./postern-error.js";

const table = defineErrors({
  LATE: ({ afterMs }: { afterMs: number }) => `Nothing came within ${afterMs} ms.`,
  GONE: "It is gone.",
});

describe("isPosternError()", () => {
  it("knows an error of this package", () => {
    expect(isPosternError(table.GONE())).toBe(true);
    expect(isPosternError(new PosternError("ANY", "Any.", { data: {} }))).toBe(true);
  });

  it("knows only the codes of a table, when given one", () => {
    expect(isPosternError(table.GONE(), table)).toBe(true);
    expect(isPosternError(new PosternError("OTHER", "Other.", { data: {} }), table)).toBe(false);
  });

  it.each(["constructor", "toString", "__proto__", "hasOwnProperty"])(
    "does not take the inherited name %s for a code of a table",
    (code) => {
      expect(isPosternError(new PosternError(code, "Odd.", { data: {} }), table)).toBe(false);
    },
  );

  it.each([
    { what: "a plain error", value: new TypeError("x") },
    { what: "an error with a code", value: Object.assign(new Error("x"), { code: "GONE" }) },
    { what: "parsed JSON of one", value: JSON.parse(JSON.stringify(table.GONE())) as unknown },
    { what: "a branded object that is no error", value: { [errorBrand]: true, code: "GONE" } },
    {
      what: "an error that only inherits the brand",
      value: Object.create(table.GONE()) as unknown,
    },
    { what: "undefined", value: undefined },
    { what: "null", value: null },
    { what: "a string", value: "GONE" },
  ])("does not know $what", ({ value }) => {
    expect(isPosternError(value)).toBe(false);
  });

  it("knows an error of another installed copy, and the copy knows ours", async () => {
    await using folder = await openFolder();
    const sources = (await readdir(import.meta.dirname)).filter((file) => !file.includes(".test."));
    for (const file of sources) await copyFile(join(import.meta.dirname, file), folder.join(file));
    const url = pathToFileURL(folder.join("index.ts")).href;
    const copy = (await import(/* @vite-ignore */ url)) as typeof Errors;

    expect(copy.PosternError).not.toBe(PosternError);
    const theirs = copy.defineErrors({ GONE: "It is gone." }).GONE();
    expect(theirs).not.toBeInstanceOf(PosternError);
    expect(isPosternError(theirs)).toBe(true);
    expect(isPosternError(theirs, table)).toBe(true);
    expect(copy.isPosternError(table.GONE())).toBe(true);
  });

  it("narrows the data by the code", () => {
    const error: unknown = table.LATE({ afterMs: 5 });
    if (!isPosternError(error, table)) throw error;
    expectTypeOf(error.code).toEqualTypeOf<"LATE" | "GONE">();
    if (error.code !== "LATE") throw error;
    expectTypeOf(error.data.afterMs).toEqualTypeOf<number>();
    expect(error.data.afterMs).toBe(5);
  });
});
