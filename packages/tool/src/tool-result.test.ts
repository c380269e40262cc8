import { describe, expect, it } from "vitest";
import { isJsonObject } from "./json.js";
import {
  createResult,
  dataResult,
  isCreatedResult,
  isInputRequired,
  textResult,
  type ToolResult,
} from "./tool-result.js";

describe("results", () => {
  it("are told from anything parsed", () => {
    const made = [textResult("a"), dataResult(1), createResult({ content: [] })];
    expect(made.map(isCreatedResult)).toEqual([true, true, true]);
    const others = [
      ...made.map((each) => JSON.parse(JSON.stringify(each)) as unknown),
      {},
      null,
      1,
    ];
    expect(others.map(isCreatedResult)).toEqual(others.map(() => false));
  });

  it("copy their parts, and keep members that nobody here knows", () => {
    const parts: ToolResult = Object.freeze({ content: [], _meta: { a: 1 }, later: true });
    const result = createResult(parts);
    expect(result).toEqual(parts);
    expect(result).not.toBe(parts);
    expect(JSON.stringify(result)).toBe(JSON.stringify(parts));
  });

  it("carry data as structured content and as its JSON", () => {
    expect(dataResult({ a: [1] })).toEqual({
      content: [{ type: "text", text: '{"a":[1]}' }],
      structuredContent: { a: [1] },
    });
  });

  it("are told from a call that waits for input by resultType alone", () => {
    expect(isInputRequired({ resultType: "input_required", requestState: "s" })).toBe(true);
    expect(isInputRequired({ content: [], resultType: "complete" })).toBe(false);
    expect(isInputRequired(textResult("input_required"))).toBe(false);
  });
});

describe("isJsonObject()", () => {
  it("knows objects from the other values of JSON", () => {
    const values = [{}, { a: 1 }, [], null, "x", 1, true, undefined];
    expect(values.map(isJsonObject)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
