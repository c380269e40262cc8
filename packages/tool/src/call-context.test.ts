import { describe, expect, it } from "vitest";
import { anonymousCaller, createCallContext } from "./call-context.js";
import { toolErrors } from "./errors.js";
import { isInputRequiredError } from "./input-required-error.js";

const question = { id: "q", to: "owner", message: "May it?", schema: {} } as const;

describe("createCallContext()", () => {
  it("chooses what is safe: nobody, nothing known, and nobody to ask", async () => {
    const context = createCallContext();
    expect(context.caller).toEqual({ kind: "remote", id: "anonymous", scopes: [] });
    expect(context.meta).toEqual({});
    expect(context.signal.aborted).toBe(false);
    expect(context.progress({ progress: 1 })).toBeUndefined();
    expect(await context.ask(question)).toEqual({ action: "cancel" });
  });

  it("keeps what it is given", () => {
    const parts = Object.freeze({
      caller: { kind: "owner" as const, id: "me", scopes: ["consent"] },
      signal: AbortSignal.abort(),
      meta: { a: 1 },
      progress: () => undefined,
      ask: () => Promise.resolve({ action: "accept" as const }),
    });
    expect(createCallContext(parts)).toEqual(parts);
  });

  it("hands out an anonymous caller that nobody can promote", () => {
    expect(Object.isFrozen(anonymousCaller) && Object.isFrozen(anonymousCaller.scopes)).toBe(true);
  });
});

describe("isInputRequiredError()", () => {
  it("knows that rejection from every other", () => {
    const thrown = [
      toolErrors.INPUT_REQUIRED(),
      toolErrors.INTERNAL_ERROR(),
      Object.assign(new TypeError("x"), { code: "INPUT_REQUIRED" }),
      { code: "INPUT_REQUIRED" },
      undefined,
    ];
    expect(thrown.map(isInputRequiredError)).toEqual([true, false, false, false, false]);
  });
});
