#!/usr/bin/env node
import { runProgram } from "./server/run-program.js";

const ending = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => ending.abort());

process.exitCode = await runProgram({
  args: process.argv.slice(2),
  directory: process.cwd(),
  env: (name) => process.env[name],
  environment: () => process.env,
  print: (line) => process.stdout.write(`${line}\n`),
  log: (line) => process.stderr.write(`${line}\n`),
  signal: ending.signal,
});
