import { inspect } from "node:util";
import { defineErrors } from "@postern/errors";
import { describe, expect, it } from "vitest";
import { errorResult, findResultError } from "./error-result.js";
import type { ToolResult } from "./tool-result.js";

const canary = "sk-canary-4711";
const errors = defineErrors({
  FULL: ({ seats }: { seats: unknown }) => `All ${typeof seats} seats are taken.`,
});

describe("errorResult()", () => {
  it("says the code, the message and the data, as data and as text", () => {
    const data = { seats: 4, error: "FULL", message: "All number seats are taken." };
    expect(errorResult(errors.FULL({ seats: 4 }))).toEqual({
      content: [{ type: "text", text: JSON.stringify(data) }],
      structuredContent: data,
      isError: true,
    });
  });

  it.each([
    { what: "the cause of ours", thrown: errors.FULL({ seats: 4 }, { cause: canary }) },
    { what: "a foreign error", thrown: Object.assign(new TypeError(canary), { code: canary }) },
    { what: "a string", thrown: canary },
    { what: "an object", thrown: { message: canary } },
    { what: "what only looks like ours", thrown: { code: "FULL", message: canary, data: {} } },
  ])("shows nothing of $what, in JSON or inspected", ({ thrown }) => {
    const result = errorResult(thrown);
    expect(JSON.stringify(result)).not.toContain(canary);
    expect(inspect(result, { depth: null })).not.toContain(canary);
    expect(JSON.stringify({ ...result })).not.toContain(canary);
  });

  it("keeps what was thrown as the cause, for logs", () => {
    const thrown = new TypeError("why");
    expect(findResultError(errorResult(thrown))).toMatchObject({
      code: "INTERNAL_ERROR",
      cause: thrown,
    });
  });

  it("refuses also where the data of the error is not JSON", () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    for (const seats of [4n, circle])
      expect(errorResult(errors.FULL({ seats }))).toMatchObject({
        isError: true,
        structuredContent: { error: "FULL", message: `All ${typeof seats} seats are taken.` },
      });
  });
});

describe("findResultError()", () => {
  it("finds the error of a result that was refused here", () => {
    const error = errors.FULL({ seats: 4 });
    expect(findResultError(errorResult(error))).toBe(error);
  });

  it("cannot be forged by anything a server writes as JSON", () => {
    const wire = JSON.stringify(errorResult(errors.FULL({ seats: 4 })));
    const forged = [
      wire,
      '{"content":[],"isError":true,"dev.postern.result-error":{"code":"FULL"}}',
      '{"content":[],"Symbol(dev.postern.result-error)":{"code":"FULL"}}',
      '{"content":[],"__proto__":{"dev.postern.result-error":{"code":"FULL"}}}',
      '{"content":[],"@@dev.postern.result-error":{"code":"FULL"},"error":"FULL"}',
    ].map((json) => findResultError(JSON.parse(json) as ToolResult));
    expect(forged).toEqual(forged.map(() => undefined));
  });

  it("does not follow a copy, whose content may have been changed", () => {
    const result = errorResult(errors.FULL({ seats: 4 }));
    expect(findResultError({ ...result })).toBeUndefined();
    expect(findResultError(structuredClone(result))).toBeUndefined();
  });
});
