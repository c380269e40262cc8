/**
 * What takes longer than `npm test`: packed packages under four Node releases, the tests under the newer ones, what a
 * client that others wrote makes of the bundled tools, injections, and published types.
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

const newer = [22, 24, 26];

/** @type {Map<number, NonNullable<Awaited<ReturnType<typeof installNode>>>>} */
const installed = new Map();
const broken = { passed: 0, failed: 1, skipped: 0 };

/** Each newer release is installed once, for every ring that runs under it. */
async function installNewer() {
  for (const release of newer) {
    const node = await installNode(release);
    if (node !== undefined) installed.set(release, node);
  }
  const { size } = installed;
  return { passed: size, failed: newer.length - size, skipped: 0 };
}

/** @param {number} release */
function runUnder(release) {
  const found = installed.get(release);
  if (found === undefined) return broken;
  return runRing([found.node, ...tests], { cwd: root, env: found.env });
}

function runPackages() {
  const flags = [...installed.values()].flatMap(({ node }) => ["--node", node]);
  return runRing(["node", "tooling/packages/run.mjs", ...flags], { cwd: root });
}

function runInspector() {
  const found = installed.get(24);
  if (found === undefined) return broken;
  return runRing(["node", "tooling/interop/run.mjs", "--node", found.node], { cwd: root });
}

const rings = {
  "newer Node releases": installNewer,
  "packed packages": runPackages,
  ...Object.fromEntries(
    newer.map((release) => [`tests under Node ${release}`, () => runUnder(release)]),
  ),
  Inspector: runInspector,
  redteam: () => runRing(["node", "tooling/redteam/run.mjs"], { cwd: root }),
  mutants: () => runRing(["node", "tooling/mutants/run.mjs"], { cwd: root }),
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
for (const { folder } of installed.values()) await rm(folder, { recursive: true, force: true });
console.log(`\n${lines.join("\n")}\n${toText(sum)}`);
process.exitCode = sum.failed === 0 ? 0 : 1;

/** @param {import("./run-ring.mjs").Count} count */
function toText({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
