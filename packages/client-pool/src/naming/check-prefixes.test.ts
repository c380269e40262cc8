import { expect, it } from "vitest";
import type { ServerConfig } from "../index.js";
import { checkPrefixes } from "./check-prefixes.js";

const command: ServerConfig = { command: "x" };

const check = (servers: Readonly<Record<string, ServerConfig>>): Record<string, string> =>
  Object.fromEntries([...checkPrefixes(servers)].map(([name, { code }]) => [name, code]));

it("accepts names that only begin alike as words", () => {
  expect(check({ my: command, myserver: command, "my-server": command })).toEqual({});
});

it("refuses both of two prefixes that begin alike", () => {
  expect(check({ my: command, my_server: command, other: command })).toEqual({
    my: "SERVER_NAME_CLASH",
    my_server: "SERVER_NAME_CLASH",
  });
  expect(check({ a: { ...command, prefix: "x-" }, b: { ...command, prefix: "x-" } })).toEqual({
    a: "SERVER_NAME_CLASH",
    b: "SERVER_NAME_CLASH",
  });
});

it("lets a disabled server and an empty prefix stand in nobody's way", () => {
  expect(check({ my: { ...command, disabled: true }, my_server: command })).toEqual({});
  expect(check({ bare: { ...command, prefix: "" }, x: command })).toEqual({});
});

it.each<[string, ServerConfig]>([
  ["", command],
  ["-x", command],
  ["a.b", command],
  ["a b", command],
  ["x".repeat(33), command],
  ["long", { ...command, prefix: "x".repeat(41) }],
  ["dotted", { ...command, prefix: "a." }],
  ["both", { command: "x", url: "http://localhost" }],
  ["neither", {} as ServerConfig],
])("refuses the server %j as it is configured", (name, config) => {
  expect(check({ [name]: config })).toEqual({ [name]: "INVALID_SERVER" });
});
