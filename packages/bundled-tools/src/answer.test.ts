import { expect, it } from "vitest";
import { toFailure, toResult } from "./answer.js";
import { bundledErrors } from "./errors.js";

it("gives the whole answer as structured content and as JSON text", () => {
  expect(toResult({ files: [], error: "" })).toEqual({
    structuredContent: { files: [], error: "" },
    content: [{ type: "text", text: '{"files":[],"error":""}' }],
  });
});

it.each(["went wrong", " x "])("is an error when the answer's error says %j", (error) => {
  expect(toResult({ error }).isError).toBe(true);
});

it("is no error when the answer's error is blank", () => {
  expect(toResult({ error: "  " })).not.toHaveProperty("isError");
});

it("gives a failure its sentence, its code and the tool's other fields", () => {
  const error = bundledErrors.PATH_NOT_FOUND({ path: "a" }, { cause: new TypeError("secret") });
  expect(toFailure(error, { nearby: [] })).toMatchObject({
    isError: true,
    structuredContent: { nearby: [], error: error.message, code: "PATH_NOT_FOUND" },
  });
});

it("leaks nothing of an error that is not ours", () => {
  const result = toFailure(new TypeError("secret"));
  expect(result.structuredContent).toMatchObject({ error: "INTERNAL_ERROR" });
  expect(JSON.stringify(result)).not.toContain("secret");
});
