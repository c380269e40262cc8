/**
 * Packs every published package, installs each tarball alone and uses it as a stranger would.
 * `node tooling/packages/run.mjs [--node PATH…] [NAME…]` uses it under those Node binaries too, and takes only packages
 * whose name contains one of the words.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { checkInstalled } from "./check-installed.mjs";
import { packAll } from "./pack.mjs";
import { runProcess } from "./run-process.mjs";

const parallel = 2;
const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const { values, positionals: wanted } = parseArgs({
  options: { node: { type: "string", multiple: true, default: [] } },
  allowPositionals: true,
});
const folder = await mkdtemp(join(tmpdir(), "postern-packages-"));
const count = { passed: 0, failed: 0 };

try {
  const all = await packAll(root, join(folder, "tarballs"));
  const releases = [{ label: "", env: process.env }];
  for (const node of values.node) releases.push(await readRelease(node));
  const queue = all.filter(
    ({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)),
  );
  const work = async () => {
    for (let packed = queue.shift(); packed !== undefined; packed = queue.shift()) {
      const place = join(folder, packed.name.replace("/", "-"));
      print(packed.name, await checkInstalled(packed, { all, folder: place, root, releases }));
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(`${count.passed} passed, ${count.failed} failed, 0 skipped`);
process.exitCode = count.failed === 0 && count.passed > 0 ? 0 : 1;

/**
 * @param {string} node
 * @returns {Promise<import("./check-installed.mjs").Release>}
 */
async function readRelease(node) {
  const { code, stdout, output } = await runProcess(node, ["--version"], { cwd: root });
  if (code !== 0) throw new Error(`${node} does not run:\n${output}`);
  const PATH = `${dirname(node)}${delimiter}${process.env["PATH"] ?? ""}`;
  return { label: ` under Node ${stdout.trim()}`, env: { ...process.env, PATH } };
}

/**
 * @param {string} name
 * @param {readonly import("./check-installed.mjs").Outcome[]} outcomes
 */
function print(name, outcomes) {
  for (const { title, problem } of outcomes) {
    count[problem === undefined ? "passed" : "failed"] += 1;
    console.log(`${problem === undefined ? "ok  " : "FAIL"} ${name}: ${title}`);
    if (problem !== undefined) console.log(problem.replace(/^/gm, "     "));
  }
}
