#!/usr/bin/env node
import { readFileSync } from "node:fs";

const words = process.argv.slice(2);

if (words.length === 1 && (words[0] === "--version" || words[0] === "-V")) {
  // Nothing else is loaded for this answer: installers and scripts ask for it often.
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  process.stdout.write(`${(JSON.parse(manifest) as { version: string }).version}\n`);
} else {
  const { runProgram } = await import("./program.js");
  await runProgram(words);
}
