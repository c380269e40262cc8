/**
 * Packs every published package, installs each tarball alone and uses it as a stranger would.
 * `node tooling/packages/run.mjs [NAME…]` takes only packages whose name contains one of the words.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkInstalled } from "./check-installed.mjs";
import { packAll } from "./pack.mjs";

const parallel = 2;
const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const wanted = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "postern-packages-"));
const count = { passed: 0, failed: 0 };

try {
  const all = await packAll(root, join(folder, "tarballs"));
  const queue = all.filter(
    ({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)),
  );
  const work = async () => {
    for (let packed = queue.shift(); packed !== undefined; packed = queue.shift()) {
      const place = join(folder, packed.name.replace("/", "-"));
      const outcomes = await checkInstalled(packed, { all, folder: place, root });
      print(packed.name, outcomes);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(`${count.passed} passed, ${count.failed} failed, 0 skipped`);
process.exitCode = count.failed === 0 && count.passed > 0 ? 0 : 1;

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
