import { z } from "zod";
import { expect, it } from "vitest";
import { defineTool } from "@postern/tool";
import { withoutNullArguments } from "./null-arguments.js";

const { inputSchema } = defineTool({
  name: "probe",
  description: "Only its schema is used.",
  input: z.strictObject({
    needed: z.string(),
    needed_or_null: z.string().nullable(),
    plain: z.number().default(1),
    limit: z.int().nullable().default(5),
  }),
  run: () => "",
}).listing.raw;

it("leaves out a null where the argument is optional and null has no meaning", () => {
  expect(withoutNullArguments({ needed: "x", plain: null }, inputSchema)).toEqual({ needed: "x" });
});

it("keeps a null that the schema allows", () => {
  const args = { needed: "x", needed_or_null: null, limit: null };
  expect(withoutNullArguments(args, inputSchema)).toBe(args);
});

it("keeps a null of a required argument, so that it is refused", () => {
  const args = { needed: null };
  expect(withoutNullArguments(args, inputSchema)).toBe(args);
});

it("keeps a null of an argument that the tool does not know, so that it is refused", () => {
  const args = { other: null, constructor: null };
  expect(withoutNullArguments(args, inputSchema)).toBe(args);
});

it("reads null from a list of types and from a choice", () => {
  const schema = {
    properties: { a: { type: ["string", "null"] }, b: { oneOf: [{ type: "null" }] }, c: {} },
  };
  expect(withoutNullArguments({ a: null, b: null, c: null }, schema)).toEqual({ a: null, b: null });
});

it("does not write to the arguments", () => {
  const args = Object.freeze({ needed: "x", plain: null });
  expect(withoutNullArguments(args, inputSchema)).not.toBe(args);
});
