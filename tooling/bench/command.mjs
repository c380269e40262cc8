import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundledTools } from "@postern/bundled-tools";
import { answerParent, median, startProcess } from "./measure.mjs";

const size = process.env.POSTERN_BENCH_COMMAND_SIZE ?? "5G";
const producer = `head -c ${size} /dev/zero | tr '\\0' 'x'`;
const rounds = 2;

/** How long the system's own reader takes for the same, in milliseconds. */
function measureCat() {
  const from = performance.now();
  const child = spawn("sh", ["-c", `{ ${producer}; } | cat >/dev/null`], { stdio: "ignore" });
  return new Promise((resolve) => child.once("exit", () => resolve(performance.now() - from)));
}

const environment = () => process.env;

/** In a process of its own, as the server is one: its memory is that of the tools and of this command alone. */
async function runCommand() {
  const root = await mkdtemp(join(tmpdir(), "postern-bench-"));
  const tools = bundledTools({ root, allowRoot: true, environment });
  const tool = tools.find(({ listing }) => listing.name === "run_command");
  const before = process.memoryUsage.rss();
  const from = performance.now();
  const result = await tool.run({ command: producer, timeout_seconds: 300 });
  const tookMs = performance.now() - from;
  await rm(root, { recursive: true });
  const { error, truncated } = result.structuredContent;
  return { tookMs, before, peak: process.resourceUsage().maxRSS * 1_024, error, truncated };
}

// Started by the function below, not imported by the bench.
if (process.send !== undefined && process.argv[1] === import.meta.filename) {
  answerParent({ run: runCommand });
  process.send("ready");
}

/** A command that prints 5 GB: memory of the whole process, and time against `cat >/dev/null` in the same run. */
export async function run() {
  const cats = [];
  const commands = [];
  for (let round = 0; round < rounds; round += 1) {
    cats.push(await measureCat());
    const server = startProcess(import.meta.filename);
    await server.next();
    commands.push(await server.ask({ name: "run" }));
    await server.stop();
  }
  const failed = commands.find(({ error, truncated }) => error !== "" || !truncated);
  if (failed !== undefined) throw new TypeError(`run_command failed: ${failed.error}`);
  const peakMb = Math.max(...commands.map(({ peak }) => peak)) / 1e6;
  const beforeMb = median(commands.map(({ before }) => before)) / 1e6;
  const catMs = median(cats);
  const ratio = median(commands.map(({ tookMs }) => tookMs)) / catMs;
  return [
    {
      what: `run_command, ${size} of output: most memory (floor: ${beforeMb.toFixed(0)} MB before)`,
      value: `${peakMb.toFixed(1)} MB`,
      bound: "≤ 100 MB",
      holds: peakMb <= 100,
    },
    {
      what: `run_command, ${size} of output: time (floor: cat, ${(catMs / 1_000).toFixed(1)} s)`,
      value: `${ratio.toFixed(2)} ×`,
      bound: "≤ 3 × cat >/dev/null",
      holds: ratio <= 3,
    },
  ];
}
