/**
 * What takes longer than `npm test`: packed packages, the tests under newer Node releases, and published types.
 * One ring after the other; the last line sums them up.
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkTypes } from "./check-types.mjs";
import { runRing } from "./run-ring.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const vitest = [
  "node_modules/vitest/vitest.mjs",
  "run",
  "--project",
  "unit",
  "--project",
  "process",
];
/**
 * The registry's packages of one platform each carry the binary itself, so the machine's own Node stays as it is. The
 * package `node` would install it by a script, which the npx that runs pnpm does not allow.
 */
const platform = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
const under = (release) => {
  const binary = `--package=node-${platform}@${release}`;
  return ["npx", "--yes", binary, "--", "node", ...vitest];
};

const rings = {
  "packed packages": () => runRing(["node", "tooling/packages/run.mjs"], root),
  "tests under Node 22": () => runRing(under(22), root),
  "tests under Node 24": () => runRing(under(24), root),
  "tests under Node 26": () => runRing(under(26), root),
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
