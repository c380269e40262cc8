import { expect, it } from "vitest";
import type { JsonObject } from "@postern/tool";
import { findPathMentions } from "./path-mentions.js";

const find = (args: JsonObject, ...checkpaths: readonly string[]) =>
  findPathMentions({ checkpaths }, args).map(
    ({ argument, path, confidence }) => `${confidence} ${argument} ${path}`,
  );

it("tells what is written, where, what it stands for and how sure that is", () => {
  expect(findPathMentions({ checkpaths: ["path"] }, { path: "file:///etc/a%20b" })).toEqual([
    { raw: "file:///etc/a%20b", path: "/etc/a b", argument: "path", confidence: "declared" },
  ]);
});

it.each([
  { args: { a: "x" }, found: "declared a x" },
  { args: { a: ["x"] }, found: "declared a[0] x" },
  { args: { a: { b: [{ c: "x" }] } }, found: "declared a.b[0].c x" },
  { args: { path: "/x" }, found: "named path /x" },
  { args: { outputDir: "/x" }, found: "named outputDir /x" },
  { args: { src_path: "/x" }, found: "named src_path /x" },
  { args: { "target-folder": "/x" }, found: "named target-folder /x" },
  { args: { destination: "/x" }, found: "named destination /x" },
  { args: { files: ["x", "/y"] }, found: "named files[1] /y" },
  { args: { options: { logFile: "/x" } }, found: "named options.logFile /x" },
  { args: { command: "cat /x" }, found: "command command /x" },
  { args: { shellCommand: "cat /x" }, found: "command shellCommand /x" },
  { args: { steps: [{ cmd: "cat /x" }] }, found: "command steps[0].cmd /x" },
  { args: { commands: ["cat /x"] }, found: "command commands[0] /x" },
  { args: { command: ["sh", "-c", "cat /x"] }, found: "command command /x" },
  { args: { command: ["cat", "/a b"] }, found: "command command /a b" },
  { args: { command: "cat x", cwd: "/w" }, found: "command command /w/x" },
  { args: { command: "cat x", working_directory: "/w" }, found: "command command /w/x" },
])("finds $found in $args", ({ args, found }) => {
  expect(find(args as JsonObject, "a")).toContain(found);
});

it.each([
  { text: "file:/etc/passwd", path: "/etc/passwd" },
  { text: "file:///etc/passwd", path: "/etc/passwd" },
  { text: "FILE://localhost/etc/passwd", path: "/etc/passwd" },
  { text: "file:///etc/%70asswd?x#y", path: "/etc/passwd" },
  { text: "file:////etc/passwd", path: "//etc/passwd" },
  { text: "file://elsewhere/etc/passwd", path: "//elsewhere/etc/passwd" },
  { text: "file:\\etc\\passwd", path: "/etc/passwd" },
  { text: "file:///%zz", path: "/%zz" },
])("takes $text for the path $path, whatever it is called", ({ text, path }) => {
  expect(find({ uri: text })).toEqual([`named uri ${path}`]);
});

it.each([
  { path: "https://x/etc/passwd" },
  { file: "s3://bucket/key" },
  { query: "/etc/passwd" },
  { pattern: "/api/v1" },
  { content: "see /etc/passwd and ../x" },
  { old_string: "cat /etc/passwd" },
  { file: "line\n/etc/passwd" },
  { path: "" },
  { paths: [1, true, null] },
])("finds nothing in %j", (args) => {
  expect(find(args)).toEqual([]);
});

it("finds what a declared argument holds even where it looks like content", () => {
  expect(find({ a: "x\ny" }, "a")).toEqual(["declared a x\ny"]);
});

it("writes to no argument, and reads what nests deep", () => {
  const deep = Array.from({ length: 5_000 }).reduce<JsonObject>((inner) => ({ inner }), {});
  expect(find(Object.freeze({ deep, path: "/x" }))).toEqual([
    expect.stringMatching(/^command deep\.inner/),
    "named path /x",
  ]);
});

it("takes time that grows with the arguments and not with their square", () => {
  const start = performance.now();
  const parts = [
    "a",
    "/",
    "../",
    "a:",
    "copy ",
    "copy x from ",
    "{",
    "[",
    "file:",
    "\\",
    "~/ ",
    "a\n",
    "(",
    "=>",
    "%2e",
    "x://",
    "{,",
  ];
  for (const name of ["path", "command", "query", "pattern", "yaml", "code", "x", "content", "uri"])
    for (const part of parts) find({ [name]: part.repeat(300_000) });
  find({ [`${"a_".repeat(300_000)}path`]: "/x", x: Array.from({ length: 50_000 }, () => "/x") });
  expect(performance.now() - start).toBeLessThan(30_000);
});
