import { describe, expect, it } from "vitest";
import { Budget, prepareSchema } from "./prepare-schema.js";

describe("Budget", () => {
  it("ends a validation that costs more than 5,000 steps", () => {
    const budget = new Budget();
    budget.reset();
    budget.spend(5_000);
    expect(() => budget.spend(1)).toThrow(expect.objectContaining({ code: "SCHEMA_TOO_LARGE" }));
  });
});

describe("prepareSchema", () => {
  it("leaves the server's schema as it is", () => {
    const schema = Object.freeze({ pattern: "(a+)+", uniqueItems: true, $ref: "#/none" });
    prepareSchema(schema);
    expect(schema).toEqual({ pattern: "(a+)+", uniqueItems: true, $ref: "#/none" });
  });

  it("gives none for a schema of more than 20,000 nodes", () => {
    const anyOf = Array.from({ length: 20_001 }, () => ({}));
    expect(prepareSchema({ anyOf })).toBeUndefined();
  });
});
