import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  closeSync,
  readdirSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fileTools } from "@postern/bundled-tools";
import { median } from "./measure.mjs";

const rounds = 7;

async function measure(work) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const from = performance.now();
  await work();
  const takenMs = performance.now() - from;
  await new Promise((resolve) => setTimeout(resolve, 5));
  delay.disable();
  return { takenMs, blockedMs: delay.max / 1e6 };
}

/** (f) Listing 50,000 entries and reading far down in a gigabyte, on a warm server. */
export async function run() {
  const root = mkdtempSync(join(tmpdir(), "bench-files-"));
  try {
    const tools = new Map(
      fileTools({ root, allowRoot: true }).map((tool) => [tool.listing.name, tool]),
    );
    const call = async (name, args) => {
      const { structuredContent } = await tools.get(name).run(args);
      if (structuredContent.error !== "") throw new TypeError(structuredContent.error);
      return structuredContent;
    };
    // Reading first: what listing leaves in memory would hide what reading adds.
    const read = await measureRead(root, call);
    return [...(await measureList(root, call)), ...read];
  } finally {
    rmSync(root, { recursive: true });
  }
}

async function measureList(root, call) {
  const folder = join(root, "many");
  mkdirSync(folder);
  for (let file = 0; file < 50_000; file += 1) writeFileSync(join(folder, `file-${file}.txt`), "");
  const floor = () => {
    const names = readdirSync(folder, { withFileTypes: true });
    for (const { name } of names.slice(0, 10_000)) lstatSync(join(folder, name));
  };
  const [bare, ours, blocked] = [[], [], []];
  for (let round = -1; round < rounds; round += 1) {
    const low = await measure(floor);
    const high = await measure(() => call("list_files", { path: "many", max_results: 10_000 }));
    if (round < 0) continue;
    bare.push(low.takenMs);
    ours.push(high.takenMs);
    blocked.push(high.blockedMs);
  }
  const [takenMs, blockedMs] = [median(ours), Math.max(...blocked)];
  return [
    { what: "readdir of 50,000 and 10,000 lstat, bare", value: `${median(bare).toFixed(0)} ms` },
    {
      what: "list_files, 10,000 of 50,000 entries",
      value: `${takenMs.toFixed(0)} ms`,
      bound: "≤ 150 ms",
      holds: takenMs <= 150,
    },
    {
      what: "longest block of the event loop meanwhile",
      value: `${blockedMs.toFixed(0)} ms`,
      bound: "≤ 50 ms",
      holds: blockedMs <= 50,
    },
  ];
}

/** A gigabyte of lines of 80 bytes: line 10,000,000 is three quarters down. */
function writeLarge(path) {
  const line = `${"x".repeat(79)}\n`;
  const block = line.repeat(25_000);
  const file = openSync(path, "w");
  for (let written = 0; written < 540; written += 1) writeSync(file, block);
  closeSync(file);
}

function scanBare(path) {
  const buffer = Buffer.allocUnsafe(1024 * 1024);
  const file = openSync(path, "r");
  for (let line = 1; ;) {
    const length = readSync(file, buffer);
    if (length === 0) break;
    for (let at = buffer.indexOf(10); at !== -1 && at < length; at = buffer.indexOf(10, at + 1))
      line += 1;
    if (line >= 10_000_000) break;
  }
  closeSync(file);
}

async function measureRead(root, call) {
  const path = join(root, "large.txt");
  writeLarge(path);
  const offset = 10_000_000;
  const bare = await measure(() => scanBare(path));
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
  const first = await measure(() => call("read_file", { path: "large.txt", offset, limit: 50 }));
  clearInterval(watch);
  const next = [];
  for (let page = 1; page <= 5; page += 1)
    next.push(
      await measure(() =>
        call("read_file", { path: "large.txt", offset: offset + 50 * page, limit: 50 }),
      ),
    );
  const nextMs = median(next.map(({ takenMs }) => takenMs));
  const grownMb = (peak - before) / 1e6;
  return [
    {
      what: "scan for line 10,000,000 of 1 GB, bare and at once",
      value: `${bare.takenMs.toFixed(0)} ms`,
    },
    {
      what: "read_file at line 10,000,000 of 1 GB",
      value: `${first.takenMs.toFixed(0)} ms`,
      bound: "≤ 1,500 ms",
      holds: first.takenMs <= 1_500,
    },
    {
      what: "memory it adds",
      value: `${grownMb.toFixed(0)} MB`,
      bound: "≤ 50 MB",
      holds: grownMb <= 50,
    },
    {
      what: "longest block of the event loop meanwhile",
      value: `${first.blockedMs.toFixed(0)} ms`,
      bound: "≤ 50 ms",
      holds: first.blockedMs <= 50,
    },
    {
      what: "the next page",
      value: `${nextMs.toFixed(1)} ms`,
      bound: "≤ 20 ms",
      holds: nextMs <= 20,
    },
  ];
}
