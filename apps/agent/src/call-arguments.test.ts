import { openFolder } from "@postern/test-kit";
import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { readCallArguments } from "./call-arguments.js";

test.each([
  [["a=b"], { a: "b" }],
  [["a="], { a: "" }],
  [["a=b=c:=d"], { a: "b=c:=d" }],
  [["a=1"], { a: "1" }],
  [["a:=1"], { a: 1 }],
  [['a:={"b":[null,true]}'], { a: { b: [null, true] } }],
  [['a:="@not a file"'], { a: "@not a file" }],
  [["a=line one\nline two"], { a: "line one\nline two" }],
  [["a-b.c=d", "e=f"], { "a-b.c": "d", e: "f" }],
  [["a=-5", "b:=-5"], { a: "-5", b: -5 }],
  [[], {}],
])("%j reads as %j", async (words, args) => {
  expect(await readCallArguments(words, undefined)).toEqual(args);
});

test("a key named __proto__ is a key like any other", async () => {
  const args = await readCallArguments(["__proto__=x"], undefined);
  expect(Object.entries(args)).toEqual([["__proto__", "x"]]);
  expect(Object.getPrototypeOf(args)).toBe(Object.prototype);
});

test("@ reads a file as text, := with it as JSON", async () => {
  await using folder = await openFolder();
  await writeFile(folder.join("data.json"), '{"n":1}\n');
  const path = folder.join("data.json");
  expect(await readCallArguments([`a=@${path}`, `b:=@${path}`], undefined)).toEqual({
    a: '{"n":1}\n',
    b: { n: 1 },
  });
});

test("a byte order mark stays in a text and is no part of JSON", async () => {
  await using folder = await openFolder();
  await writeFile(folder.join("bom"), "\ufeff[1]");
  const words = ["a", "b"].map((key) => `${key}${key === "a" ? "" : ":"}=@${folder.join("bom")}`);
  expect(await readCallArguments(words, undefined)).toEqual({ a: "\ufeff[1]", b: [1] });
});

test("a key __proto__ inside JSON stays a key", async () => {
  const { a } = await readCallArguments(['a:={"__proto__":{"b":1}}'], undefined);
  expect(JSON.stringify(a)).toBe('{"__proto__":{"b":1}}');
});

test.each([
  [["=x"], "Argument 1 of the tool is not understood"],
  [["a=b", "secret"], "Argument 2 of the tool is not understood"],
  [["a=b", "a=c"], "Argument 2 names a key that was given before"],
  [["a:=secret"], "Argument 1 is not JSON"],
  [['a:={"secret":[1e999]}'], "Argument 1 holds a number that is too large"],
  [["a:=-1e999"], "Argument 1 holds a number that is too large"],
  [[`a:=${"[".repeat(100_000)}`], "Argument 1 is not JSON"],
  [["a=@/no/such/file/secret"], "Argument 1 names a file that cannot be read (ENOENT)"],
])("%j is refused by its position alone", async (words, message) => {
  const refused = readCallArguments(words, undefined);
  await expect(refused).rejects.toMatchObject({ code: "USAGE" });
  await expect(refused).rejects.toThrow(message);
  await expect(refused).rejects.not.toThrow("secret");
});

test.each([
  [[], "[1]", "--args takes one JSON object"],
  [[], "secret", "--args is not JSON"],
  [["a=b"], "{}", "not both"],
])("%j with --args %j is refused", async (words, whole, message) => {
  await expect(readCallArguments(words, whole)).rejects.toThrow(message);
});

test("--args takes the whole object", async () => {
  expect(await readCallArguments([], '{"a":{"b":1}}')).toEqual({ a: { b: 1 } });
});
