import { execFile } from "node:child_process";
import { readdir, readFile, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { bundleSource, findEagerModules, openFolder } from "@postern/test-kit";
import { expect, it } from "vitest";
import { bundledTools } from "./bundled-tools.js";

const program = new URL("../fixtures/list-tools.ts", import.meta.url).pathname;

/** What takes long to load, and most calls never need. */
const heavy =
  /node_modules\/(@joplin\/[^/]+|@mozilla\/readability|linkedom|mammoth|pdfjs-dist|saxes|turndown|undici)\//;

it("loads no heavy library together with the tools", async () => {
  const modules = await findEagerModules(program);
  const found = modules.flatMap((module) => heavy.exec(module)?.[1] ?? []);
  expect({
    found: [...new Set(found)],
    isWhole: modules.some((module) => module.endsWith("/src/files/read-file.ts")),
  }).toEqual({ found: [], isWhole: true });
});

it("lists every tool without what is loaded later", async () => {
  await using folder = await openFolder();
  await bundleSource(program, folder.path);
  const kept = await findImported(folder.path, "list-tools.mjs");
  for (const entry of await readdir(folder.path, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !kept.has(relative(folder.path, path))) await rm(path);
  }
  const { stdout } = await promisify(execFile)(process.execPath, [folder.join("list-tools.mjs")]);
  expect(stdout.trim().split("\n")).toEqual(
    bundledTools({ root: "/" }).map(({ listing }) => listing.name),
  );
});

/** The files of a bundle that Node loads with one of them, before anything runs. */
async function findImported(folder: string, file: string, found = new Set<string>()) {
  if (found.has(file)) return found;
  found.add(file);
  const text = await readFile(`${folder}/${file}`, "utf8");
  for (const [, path = ""] of text.matchAll(/^(?:import|export)\b[^;]*?["'](\.[^"']+)["'];?$/gm))
    await findImported(folder, join(dirname(file), path), found);
  return found;
}
