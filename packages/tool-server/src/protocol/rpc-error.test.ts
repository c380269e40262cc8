import { PosternError } from "@postern/errors";
import { toolErrors } from "@postern/tool";
import { describe, expect, it } from "vitest";
import { toRpcError } from "./rpc-error.js";

const upstream = (rpcCode: unknown): PosternError =>
  new PosternError("UPSTREAM_ERROR", "The server said no.", { data: { rpcCode } });

describe("toRpcError", () => {
  it.each([
    [toolErrors.UNKNOWN_METHOD({ method: "x" }), -32_601],
    [toolErrors.UNKNOWN_PROMPT({ name: "x" }), -32_602],
    [toolErrors.UNKNOWN_RESOURCE({ uri: "x" }), -32_602],
    [toolErrors.INVALID_ARGUMENTS({ problems: [] }), -32_602],
    [new PosternError("CONNECTION_LOST", "Lost.", { data: {} }), -32_603],
    [upstream(-32_602), -32_602],
    [upstream(-32_002), -32_602],
    [upstream(-32_601), -32_601],
    [upstream(-32_021), -32_603],
    [upstream("-32602"), -32_603],
    [new TypeError("secret"), -32_603],
  ])("gives %s the number %i", (error, code) => {
    expect(toRpcError(error).code).toBe(code);
  });

  it("carries our code, message and facts, and no cause", () => {
    const error = new PosternError("HELD", "Held.", { data: { server: "s" }, cause: "secret" });
    expect(toRpcError(error)).toEqual({
      code: -32_603,
      message: "Held.",
      data: { server: "s", error: "HELD", message: "Held." },
    });
  });

  it("says nothing of an error that is not ours", () => {
    expect(JSON.stringify(toRpcError(new TypeError("secret")))).not.toContain("secret");
  });
});
