import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { searchTools } from "@postern/bundled-tools";
import { createRipgrepBackend, createWalkerBackend } from "@postern/bundled-tools/search";
import { median } from "./measure.mjs";

const rounds = 7;
const pattern = "needle \\d+";

/** 50,000 files of about 3 kB in 500 folders; one of a hundred has the needle. */
function writeTree(root) {
  const filler = "The quick brown fox jumps over the lazy dog, again and again.\n".repeat(48);
  for (let folder = 0; folder < 500; folder += 1) {
    const at = join(root, `d${folder % 20}`, `e${folder}`);
    mkdirSync(at, { recursive: true });
    for (let file = 0; file < 100; file += 1)
      writeFileSync(join(at, `f${file}.txt`), file === 50 ? `${filler}needle ${folder}\n` : filler);
  }
}

/** What ripgrep takes by hand, from start to the last byte, unsorted. */
function runRipgrep(binary, root) {
  return new Promise((resolve) => {
    const from = performance.now();
    const args = ["--no-config", "--hidden", "--no-ignore", "-n", "-e", pattern, "./"];
    const child = spawn(binary, args, { cwd: root, stdio: ["ignore", "pipe", "ignore"] });
    child.stdout.resume();
    child.on("close", () => resolve(performance.now() - from));
  });
}

async function measureTool(tool) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const from = performance.now();
  const args = { pattern, include_ignored: true, max_results: 100 };
  const { structuredContent } = await tool.run(args);
  const takenMs = performance.now() - from;
  // A last block shows only once the loop turns again.
  await new Promise((resolve) => setTimeout(resolve, 5));
  delay.disable();
  if (structuredContent.match_count !== 500) throw new TypeError(JSON.stringify(structuredContent));
  return { takenMs, blockedMs: delay.max / 1e6 };
}

/** (e) grep of 50,000 files, one call on a warm server, beside ripgrep by hand in the same minute. */
export async function run() {
  const root = mkdtempSync(join(tmpdir(), "bench-search-"));
  try {
    writeTree(root);
    const { rgPath } = createRequire(import.meta.resolve("@postern/bundled-tools"))(
      "@vscode/ripgrep",
    );
    const toTool = (searchBackend) =>
      searchTools({ root, searchBackend, allowRoot: true }).find(
        ({ listing }) => listing.name === "grep",
      );
    const [ours, walker] = [toTool(createRipgrepBackend()), toTool(createWalkerBackend())];
    const taken = { hand: [], ours: [], walker: [] };
    let blockedMs = 0;
    for (let round = -1; round < rounds; round += 1) {
      const hand = await runRipgrep(rgPath, root);
      const first = await measureTool(ours);
      const second = await measureTool(walker);
      if (round < 0) continue;
      taken.hand.push(hand);
      taken.ours.push(first.takenMs);
      taken.walker.push(second.takenMs);
      blockedMs = Math.max(blockedMs, first.blockedMs, second.blockedMs);
    }
    return toRows(taken, blockedMs);
  } finally {
    rmSync(root, { recursive: true });
  }
}

function toRows(taken, blockedMs) {
  const hand = median(taken.hand);
  const [ours, walker] = [median(taken.ours) / hand, median(taken.walker) / hand];
  return [
    { what: "ripgrep by hand, 50,000 files", value: `${hand.toFixed(0)} ms` },
    {
      what: "grep by ripgrep, against it",
      value: `${ours.toFixed(2)} ×`,
      bound: "≤ 1.3 ×",
      holds: ours <= 1.3,
    },
    {
      what: "grep by our walker, against it",
      value: `${walker.toFixed(2)} ×`,
      bound: "≤ 3.5 ×",
      holds: walker <= 3.5,
    },
    {
      what: "longest block of the event loop meanwhile",
      value: `${blockedMs.toFixed(0)} ms`,
      bound: "≤ 50 ms",
      holds: blockedMs <= 50,
    },
  ];
}
