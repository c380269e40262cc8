import { expect, it } from "vitest";
import { findShellCommands } from "./shell-commands.js";

const words = (text: string): readonly string[] =>
  findShellCommands(text).map((command) => command.words.join(" "));

it.each([
  ["rm -rf /", "rm -rf /"],
  ["r''m -\"r\"f \\/", "rm -rf /"],
  ["r\\\nm -rf /", "rm -rf /"],
  ["rm${IFS}-rf$IFS/", "rm -rf /"],
  ["cd a && rm -rf /", "rm -rf /"],
  ["true; (rm -rf /)", "rm -rf /"],
  ["{ rm -rf /; }", "rm -rf /"],
  ["echo $(rm -rf /)", "rm -rf /"],
  ["echo `rm -rf /`", "rm -rf /"],
  ["sudo -n rm -rf /", "rm -rf /"],
  ["env A=1 nice -n 5 rm -rf /", "rm -rf /"],
  ["A=1 rm -rf /", "rm -rf /"],
  ["sh -c 'rm -rf /'", "rm -rf /"],
  ["bash -lc \"sh -c 'rm -rf /'\"", "rm -rf /"],
  ["eval 'rm -rf' /", "rm -rf /"],
  ["ls | xargs rm -rf /", "rm -rf /"],
  ["a 2>&1 | rm -rf / >x", "rm -rf /"],
  ["ssh host 'rm -rf /'", "rm -rf /"],
  ["rm -rf / # bye", "rm -rf /"],
])("finds in %j the command %j", (text, command) => {
  expect(words(text)).toContain(command);
});

it.each(["echo 'rm -rf /'", "git commit -m 'rm -rf / is bad'", "# rm -rf /", "grep 'rm -rf /' x"])(
  "finds no such command in %j",
  (text) => {
    expect(words(text)).not.toContain("rm -rf /");
  },
);

it("tells the places in a pipeline, outputs and inputs", () => {
  expect(findShellCommands("a | b > x 2>>y; c < z && d")).toMatchObject([
    { words: ["a"], stage: 0, pipeline: 0, outputs: [] },
    { words: ["b"], stage: 1, pipeline: 0, outputs: ["x", "y"] },
    { words: ["c"], stage: 0, pipeline: 1, hasInput: true },
    { words: ["d"], stage: 0, pipeline: 3 },
  ]);
});

it("takes time that grows with the text and not with its square", () => {
  const start = performance.now();
  for (const part of [
    "'",
    '"',
    "$(",
    "sh -c '",
    "a|",
    "sudo ",
    "(",
    "{ ",
    ">",
    "\\",
    "#\n",
    "eval ",
  ])
    findShellCommands(part.repeat(30_000));
  expect(performance.now() - start).toBeLessThan(10_000);
});
