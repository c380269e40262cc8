import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { PosternError } from "./postern-error.js";

const canary = "sk-canary-4711";
const withCause = new PosternError("SIGN_IN_FAILED", "The sign-in failed. Try again.", {
  data: { server: "docs" },
  cause: Object.assign(new TypeError(canary), { headers: { authorization: canary } }),
});

describe("PosternError", () => {
  it("says its code, message and data", () => {
    const { name, code, message, data } = withCause;
    expect({ name, code, message, data }).toEqual({
      name: "PosternError",
      code: "SIGN_IN_FAILED",
      message: "The sign-in failed. Try again.",
      data: { server: "docs" },
    });
  });

  it("leaves the cause and the stack out of its JSON", () => {
    expect(JSON.parse(JSON.stringify(withCause))).toEqual({
      error: "SIGN_IN_FAILED",
      message: "The sign-in failed. Try again.",
      server: "docs",
    });
  });

  it.each([
    { way: "JSON", text: JSON.stringify({ nested: [withCause] }) },
    { way: "inspection of toJSON", text: inspect(withCause.toJSON(), { showHidden: true }) },
    { way: "a copy of its fields", text: inspect(Object.assign({}, withCause), { depth: null }) },
    { way: "Object.entries", text: inspect(Object.entries(withCause), { depth: null }) },
    { way: "its string", text: String(withCause) },
    { way: "its own stack", text: withCause.stack ?? canary },
  ])("shows nothing of the cause in $way", ({ text }) => {
    expect(text).not.toContain(canary);
  });

  it("keeps the cause for logs", () => {
    expect((withCause.cause as Error).message).toBe(canary);
  });

  it("has no cause member when there is none, so that logs do not print an empty one", () => {
    const error = new PosternError("X", "It failed.", { data: {} });
    expect("cause" in error).toBe(false);
  });

  it("never lets data speak for the code or the message", () => {
    const data = { error: "OK", message: "All is well." };
    const error = new PosternError("BAD", "It failed.", { data });
    expect(error.toJSON()).toEqual({ error: "BAD", message: "It failed." });
  });

  it("is an Error with a stack that begins where it was made", () => {
    expect(withCause).toBeInstanceOf(Error);
    expect(withCause.stack?.split("\n")[1]).toContain("postern-error.test.ts");
  });
});
