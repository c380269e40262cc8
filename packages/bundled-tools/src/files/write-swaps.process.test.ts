import { spawn } from "node:child_process";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { openFolder, type Folder } from "@postern/test-kit";
import { expect, it } from "vitest";
import { fileTools } from "../bundled-tools.js";

/** Flips names between inside and outside, as fast as it can, until its input ends; then prints how often. */
const swapper = `
const { existsSync, renameSync, rmSync, symlinkSync, unlinkSync } = require("node:fs");
let running = true;
let swaps = 0;
process.stdin.on("end", () => { running = false; }).resume();
const point = (name, target) => { symlinkSync(target, name + ".new"); renameSync(name + ".new", name); };
const flip = () => {
  for (const target of ["../out", "in"]) point("root/link", target);
  for (const target of ["../out/file", "in/file"]) point("root/file-link", target);
  try {
    renameSync("root/folder", "root/folder.kept");
    symlinkSync("../out", "root/folder");
    unlinkSync("root/folder");
    renameSync("root/folder.kept", "root/folder");
  } catch {
    // A writer made the folder while it was missing.
    if (existsSync("root/folder.kept")) rmSync("root/folder", { recursive: true, force: true });
    if (existsSync("root/folder.kept")) renameSync("root/folder.kept", "root/folder");
  }
  swaps += 6;
};
const round = () => {
  for (let turn = 0; turn < 20; turn += 1) flip();
  if (running) setImmediate(round);
  else console.log(swaps);
};
round();
`;

const calls = [
  { tool: "write_file", args: { path: "link/new", content: "leaked" } },
  { tool: "write_file", args: { path: "link/deep/new", content: "leaked" } },
  { tool: "write_file", args: { path: "file-link", content: "leaked" } },
  { tool: "write_file", args: { path: "folder/new", content: "leaked" } },
  { tool: "edit_file", args: { path: "folder/file", old_string: "text", new_string: "leaked" } },
  { tool: "edit_file", args: { path: "file-link", old_string: "text", new_string: "leaked" } },
];

async function openSwapped(): Promise<Folder> {
  const folder = await openFolder();
  for (const name of ["root/in", "root/folder", "out"]) {
    await mkdir(folder.join(name), { recursive: true });
    await writeFile(folder.join(name, "file"), "text");
  }
  await symlink("in", folder.join("root/link"));
  await symlink("in/file", folder.join("root/file-link"));
  return folder;
}

it("writes nothing outside while links are swapped 10,000 times and more", async () => {
  await using folder = await openSwapped();
  const child = spawn(process.execPath, ["-e", swapper], { cwd: folder.path });
  const swaps = text(child.stdout);
  const tools = new Map(
    fileTools({ root: folder.join("root"), allowRoot: true }).map((tool) => [
      tool.listing.name,
      tool,
    ]),
  );
  let written = 0;
  const end = Date.now() + 6_000;
  while (Date.now() < end) {
    const results = await Promise.all(calls.map(({ tool, args }) => tools.get(tool)!.run(args)));
    written += results.filter(({ isError }) => isError !== true).length;
  }
  child.stdin.end();
  expect(Number(await swaps)).toBeGreaterThan(10_000);
  // Nobody writes when everything is refused, and that would prove nothing.
  expect(written).toBeGreaterThan(20);
  expect(await readdir(folder.join("out"))).toEqual(["file"]);
  expect(await readFile(folder.join("out/file"), "utf8")).toBe("text");
});
