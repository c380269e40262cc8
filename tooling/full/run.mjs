/**
 * What takes longer than `npm test`: packed packages, the tests under newer Node releases, and published types.
 * One ring after the other; the last line sums them up.
 */
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkTypes } from "./check-types.mjs";
import { installNode } from "./install-node.mjs";
import { runRing } from "./run-ring.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const tests = [
  "node_modules/vitest/vitest.mjs",
  "run",
  "--project",
  "unit",
  "--project",
  "process",
];

/** @param {number} release */
async function runUnder(release) {
  const installed = await installNode(release);
  if (installed === undefined) return { passed: 0, failed: 1, skipped: 0 };
  try {
    return await runRing([installed.node, ...tests], { cwd: root, env: installed.env });
  } finally {
    await rm(installed.folder, { recursive: true, force: true });
  }
}

const rings = {
  "packed packages": () => runRing(["node", "tooling/packages/run.mjs"], { cwd: root }),
  "tests under Node 22": () => runUnder(22),
  "tests under Node 24": () => runUnder(24),
  "tests under Node 26": () => runUnder(26),
  "published types": () => checkTypes(root),
};

const sum = { passed: 0, failed: 0, skipped: 0 };
const lines = [];
for (const [name, run] of Object.entries(rings)) {
  console.log(`\n──── ${name} ────`);
  const start = Date.now();
  const count = await run();
  for (const key of Object.keys(sum)) sum[key] += count[key];
  const seconds = Math.round((Date.now() - start) / 1000);
  lines.push(`${name}: ${toText(count)} (${seconds} s)`);
  console.log(lines.at(-1));
}
console.log(`\n${lines.join("\n")}\n${toText(sum)}`);
process.exitCode = sum.failed === 0 ? 0 : 1;

/** @param {import("./run-ring.mjs").Count} count */
function toText({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
