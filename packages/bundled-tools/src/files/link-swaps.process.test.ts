import { spawn } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import type { Tool, ToolResult } from "@postern/tool";
import { openFolder, type Folder } from "@postern/test-kit";
import { bundledTools } from "../bundled-tools.js";

/** Flips three names between inside and outside, as fast as it can, until its input ends; then prints how often. */
const swapper = `
const { renameSync, symlinkSync, unlinkSync } = require("node:fs");
let running = true;
let swaps = 0;
process.stdin.on("end", () => { running = false; }).resume();
const point = (name, target) => { symlinkSync(target, name + ".new"); renameSync(name + ".new", name); };
const flip = () => {
  for (const target of ["out", "in"]) {
    point("root/link", target === "in" ? "in" : "../out");
    point("root/file-link", target === "in" ? "in/file" : "../out/file");
  }
  renameSync("root/folder", "root/folder.kept");
  symlinkSync("../out", "root/folder");
  unlinkSync("root/folder");
  renameSync("root/folder.kept", "root/folder");
  swaps += 6;
};
const round = () => {
  for (let turn = 0; turn < 50; turn += 1) flip();
  if (running) setImmediate(round);
  else console.log(swaps);
};
round();
`;

const calls = [
  { tool: "read_file", args: { path: "link/file" } },
  { tool: "read_file", args: { path: "file-link" } },
  { tool: "read_file", args: { path: "folder/file" } },
  { tool: "read_file", args: { path: "folder/no-such-file" } },
  { tool: "list_files", args: { path: "link" } },
  { tool: "list_files", args: { path: "folder", recursive: true } },
  { tool: "list_files", args: { path: ".", recursive: true } },
];

/** A root folder with names to flip, beside a folder that nothing may come out of. */
async function openSwapped(): Promise<Folder> {
  const folder = await openFolder();
  for (const [name, word] of [
    ["root/in", "allowed"],
    ["root/folder", "allowed"],
    ["out", "secret"],
  ] as const) {
    await mkdir(folder.join(name, `${word}-folder`), { recursive: true });
    await writeFile(folder.join(name, "file"), `${word} text`);
    await writeFile(folder.join(name, `${word}-folder`, `${word}-name`), word);
  }
  await symlink("in", folder.join("root/link"));
  await symlink("in/file", folder.join("root/file-link"));
  return folder;
}

/** Calls the tools again and again; gives every result as text. */
async function callOften(tools: readonly Tool[], times: number): Promise<readonly string[]> {
  const answers: string[] = [];
  const endsAt = Date.now() + 9_000;
  const run = async ({ tool, args }: (typeof calls)[number]): Promise<ToolResult | undefined> =>
    tools.find(({ listing }) => listing.name === tool)?.run(args);
  while (answers.length < times && Date.now() < endsAt)
    for (const result of await Promise.all(calls.map(run))) answers.push(JSON.stringify(result));
  return answers;
}

it("lets nothing out in 10,000 swaps of links and folders", async () => {
  await using folder = await openSwapped();
  const child = spawn(process.execPath, ["-e", swapper], { cwd: folder.path });
  const printed = text(child.stdout);
  const tools = bundledTools({ root: folder.join("root"), allowRoot: true });
  const answers = await callOften(tools, 7_000).finally(() => child.stdin.end());
  const swaps = Number(await printed);
  const holding = (word: string): readonly string[] =>
    answers.filter((answer) => answer.includes(word));
  expect(swaps).toBeGreaterThanOrEqual(10_000);
  expect(holding("secret")).toEqual([]);
  // Both happened, so the swaps did meet the reads.
  expect(holding("allowed text").length).toBeGreaterThan(100);
  expect(holding("PATH_OUTSIDE_ROOT").length).toBeGreaterThan(100);
});
