import { describe, expect, expectTypeOf, it } from "vitest";
import { defineErrors, type ErrorOf } from "./define-errors.js";
import type { PosternError } from "./postern-error.js";

const errors = defineErrors({
  NOT_FOUND: ({ name }: { name: string }) => `There is no ${name}.`,
  BUSY: "It is busy. Try again.",
});

describe("defineErrors()", () => {
  it("builds each message from its data", () => {
    expect(errors.NOT_FOUND({ name: "x" })).toMatchObject({
      code: "NOT_FOUND",
      message: "There is no x.",
      data: { name: "x" },
    });
    expect(errors.BUSY()).toMatchObject({
      code: "BUSY",
      message: "It is busy. Try again.",
      data: {},
    });
  });

  it("takes data beside a fixed message, and a cause", () => {
    const cause = new TypeError("why");
    const error = errors.BUSY({ retryAfterMs: 100 }, { cause });
    expect(error.toJSON()).toEqual({
      error: "BUSY",
      message: "It is busy. Try again.",
      retryAfterMs: 100,
    });
    expect(error.cause).toBe(cause);
  });

  it("copies and freezes the data", () => {
    const data = { name: "x" };
    const error = errors.NOT_FOUND(Object.freeze(data));
    expect(error.data).not.toBe(data);
    expect(Object.isFrozen(error.data)).toBe(true);
  });

  it("lists its codes as keys, and is frozen", () => {
    expect(Object.keys(errors)).toEqual(["NOT_FOUND", "BUSY"]);
    expect(Object.isFrozen(errors)).toBe(true);
  });

  it("types each factory by its own data", () => {
    expectTypeOf(errors.NOT_FOUND).parameter(0).toEqualTypeOf<Readonly<{ name: string }>>();
    expectTypeOf(errors.NOT_FOUND({ name: "x" }).code).toEqualTypeOf<"NOT_FOUND">();
    expectTypeOf<ErrorOf<typeof errors>["code"]>().toEqualTypeOf<"NOT_FOUND" | "BUSY">();
    expectTypeOf(errors.BUSY()).toExtend<PosternError>();
    // @ts-expect-error -- the data is not optional where the message needs it
    const incomplete = () => errors.NOT_FOUND();
    // @ts-expect-error -- and not of another type
    const mistyped = () => errors.NOT_FOUND({ name: 7 });
    // @ts-expect-error -- and there is no other code
    const unknown: unknown = errors.UNKNOWN;
    expect([typeof incomplete, typeof mistyped, unknown]).toEqual([
      "function",
      "function",
      undefined,
    ]);
  });
});
