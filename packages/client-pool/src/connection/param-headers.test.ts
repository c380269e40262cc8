import { expect, it } from "vitest";
import { readParamHeaders, toParamHeaders } from "./param-headers.js";

const schema = (properties: object): object => ({ type: "object", properties });

it("finds declared arguments, also nested ones", () => {
  const headers = readParamHeaders(
    schema({
      region: { type: "string", "x-mcp-header": "Region" },
      deep: schema({ size: { type: "integer", "x-mcp-header": "Size" } }),
    }),
  );
  expect(headers).toEqual([
    { header: "Mcp-Param-Region", path: ["region"] },
    { header: "Mcp-Param-Size", path: ["deep", "size"] },
  ]);
});

it.each([
  { a: { type: "string", "x-mcp-header": "" } },
  { a: { type: "string", "x-mcp-header": "A B" } },
  { a: { type: "string", "x-mcp-header": "A\r\nB" } },
  { a: { type: "object", "x-mcp-header": "A" } },
  { a: { type: "string", "x-mcp-header": "A" }, b: { type: "string", "x-mcp-header": "a" } },
])("refuses the declaration %j", (properties) => {
  expect(readParamHeaders(schema(properties))).toBe("invalid");
});

it("writes what an argument holds so that it cannot end its header", () => {
  const declared = [{ header: "Mcp-Param-A", path: ["a"] }];
  const written = (a: string | number | boolean | null): string | undefined =>
    toParamHeaders(declared, { a })?.["Mcp-Param-A"];
  expect([written("plain text"), written(7), written(true)]).toEqual(["plain text", "7", "true"]);
  for (const text of ["a\r\nX: 1", " a", "ü", "", "=?base64?eA==?="])
    expect(written(text)).toMatch(/^=\?base64\?[A-Za-z0-9+/=]*\?=$/);
  expect([written(null), written(Number.MAX_VALUE)]).toEqual([undefined, undefined]);
  expect(toParamHeaders([], { a: 1 })).toBeUndefined();
});

it("does not follow a path into what the argument inherits", () => {
  const declared = [{ header: "Mcp-Param-A", path: ["constructor", "name"] }];
  expect(toParamHeaders(declared, {})).toEqual({});
});
