import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { bundleSource, openFolder } from "@postern/test-kit";
import { expect, it } from "vitest";

const program = new URL("../../fixtures/without-ripgrep.ts", import.meta.url).pathname;

it("searches where ripgrep did not come along", async () => {
  await using built = await openFolder();
  await using folder = await openFolder();
  await writeFile(folder.join("a"), "");
  // Far from every installed package.
  const call = [await bundleSource(program, built.path), folder.path];
  const { stdout } = await promisify(execFile)(process.execPath, call);
  expect(JSON.parse(stdout)).toEqual({
    isPresent: false,
    items: ["a"],
    refused: "The search failed (no ripgrep was installed for this platform).",
  });
});
