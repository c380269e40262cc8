import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { govern, trackTaint } from "@postern/guard";
import { audit, openAuditLog } from "@postern/guard/audit";
import { findMatches, toRealPath } from "@postern/policy/consent";
import { askForPaths, createSensitiveNames, findPathMentions } from "@postern/policy/paths";
import { createCallContext, defineTool, intercept, toolSet } from "@postern/tool";
import { z } from "zod";
import { median } from "./measure.mjs";

const listing = { checkpaths: ["path"] };
const plain = { path: "src/app.ts", offset: 1, limit: 50 };
const command = Array.from(
  { length: 16 },
  (_, at) => `cp src/file${at}.ts "dist/out ${at}" && grep -n 'a${at}' x | head -n ${at}`,
)
  .join("; ")
  .slice(0, 1_024);

/** Microseconds of the process's own time that one piece of work takes, the median of several rounds. */
function measureUs(work, times) {
  const rounds = [];
  for (let round = 0; round < 9; round += 1) {
    const from = process.cpuUsage();
    for (let at = 0; at < times; at += 1) work();
    const { user, system } = process.cpuUsage(from);
    rounds.push((user + system) / times);
  }
  return median(rounds);
}

async function measureCallUs(tools, times) {
  const rounds = [];
  const context = createCallContext({ caller: { kind: "owner", id: "bench", scopes: [] } });
  const call = { name: "read", arguments: plain, context };
  for (let round = 0; round < 9; round += 1) {
    const from = process.cpuUsage();
    for (let at = 0; at < times; at += 1) await tools.call(call);
    const { user, system } = process.cpuUsage(from);
    rounds.push((user + system) / times);
  }
  return median(rounds);
}

/** (h) What finding paths costs, and what consent, rules and the audit add to a call. */
export async function run() {
  const plainUs = measureUs(() => findPathMentions(listing, plain), 5_000);
  const commandUs = measureUs(() => findPathMentions(listing, { command }), 500);
  const addedUs = await measureAdded();
  return [
    {
      what: "paths of a plain call",
      value: `${plainUs.toFixed(1)} µs`,
      bound: "≤ 50 µs",
      holds: plainUs <= 50,
    },
    {
      what: "paths of a shell command of 1 KB",
      value: `${commandUs.toFixed(0)} µs`,
      bound: "≤ 300 µs",
      holds: commandUs <= 300,
    },
    {
      what: "consent, rules and audit around a call, CPU",
      value: `${(addedUs.guarded / 1_000).toFixed(3)} ms`,
      bound: "≤ 0.15 ms",
      holds: addedUs.guarded <= 150,
    },
    { what: "the same with the taint ledger", value: `${(addedUs.tracked / 1_000).toFixed(3)} ms` },
  ];
}

async function measureAdded() {
  const folder = await mkdtemp(join(tmpdir(), "bench-guard-"));
  await mkdir(join(folder, "src"));
  await writeFile(join(folder, plain.path), "text");
  const log = await openAuditLog({ folder: join(folder, "audit") });
  const read = defineTool({
    name: "read",
    description: "Reads.",
    input: z.object({ path: z.string(), offset: z.number(), limit: z.number() }),
    checkpaths: ["path"],
    annotations: { readOnlyHint: true, openWorldHint: false },
    run: () => "text",
  });
  const bare = toolSet([read]);
  const gate = askForPaths({
    root: folder,
    consent: "ask",
    isSensitive: createSensitiveNames(),
    toRealPath,
    findMatches,
  });
  const layers = [audit({ log }), govern({ mode: "enforce" })];
  const guarded = intercept(bare, ...layers, gate);
  const tracked = intercept(bare, ...layers, trackTaint(), gate);
  try {
    const [bareUs, guardedUs, trackedUs] = [
      await measureCallUs(bare, 2_000),
      await measureCallUs(guarded, 2_000),
      await measureCallUs(tracked, 2_000),
    ];
    return { guarded: guardedUs - bareUs, tracked: trackedUs - bareUs };
  } finally {
    await log.close();
    await rm(folder, { recursive: true });
  }
}
