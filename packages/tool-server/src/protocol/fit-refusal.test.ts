import { dataResult, errorResult, toolErrors, type JsonObject } from "@postern/tool";
import { expect, it } from "vitest";
import { createToolListing } from "../../fixtures/sample-source.js";
import { fitRefusal } from "./fit-refusal.js";

const refusal = errorResult(toolErrors.UNKNOWN_TOOL({ name: "t" }));

/** Whether a refusal keeps its structured content beside an output schema. */
function isKept(outputSchema: JsonObject): boolean {
  const fitted = fitRefusal(refusal, createToolListing("t", { outputSchema }));
  return fitted.structuredContent !== undefined;
}

it("keeps the structured content of a refusal that the tool's output schema allows", () => {
  expect([
    isKept({ type: "object" }),
    isKept({ type: "object", properties: { error: { type: "string" } }, required: ["error"] }),
  ]).toEqual([true, true]);
});

it.each<[string, JsonObject]>([
  ["a member that is missing", { type: "object", required: ["rows"] }],
  ["a closed object", { type: "object", properties: { a: {} }, additionalProperties: false }],
  ["another type of a member", { type: "object", properties: { error: { type: "object" } } }],
  ["a list", { type: "array" }],
  ["a schema that costs too much to run", { allOf: Array.from({ length: 6_000 }, () => ({})) }],
])("leaves it out beside %s", (_name, outputSchema) => {
  expect(isKept(outputSchema)).toBe(false);
});

it("leaves the text and the flag of the error as they are", () => {
  const { content, isError } = refusal;
  const listing = createToolListing("t", { outputSchema: { type: "array" } });
  expect(fitRefusal(refusal, listing)).toEqual({ content, isError });
});

it("changes nothing of a refusal for a tool without an output schema, or for none", () => {
  expect([fitRefusal(refusal, createToolListing("t")), fitRefusal(refusal, undefined)]).toEqual([
    refusal,
    refusal,
  ]);
});

it("changes nothing of a result without structured content", () => {
  const { structuredContent: _, ...plain } = dataResult({ a: 1 });
  const listing = createToolListing("t", { outputSchema: { type: "array" } });
  expect(fitRefusal(plain, listing)).toBe(plain);
});
