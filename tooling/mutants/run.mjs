/**
 * Proves that the listed behaviours are tested: breaks the code in one place, in a copy, and demands that exactly the
 * test named for it fails. `node tooling/mutants/run.mjs [--only ITEM]`
 */
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { copyRepository } from "./copy-repository.mjs";
import { items, readFaults, readFaulty } from "./fault-table.mjs";
import { TestRunner } from "./run-tests.mjs";

/** @typedef {import("./fault-table.mjs").Fault} Fault */

const workers = 2;
const here = dirname(fileURLToPath(import.meta.url));
const root = await realpath(join(here, "../.."));
const { values } = parseArgs({ options: { only: { type: "string" } } });
const isWanted = (/** @type {string} */ item) => values.only === undefined || item === values.only;
const count = { passed: 0, failed: 0 };

const wanted = items.filter(isWanted);
const faults = (await readFaults(join(here, "faults"))).filter(({ item }) => isWanted(item));
for (const item of wanted)
  if (!faults.some((fault) => fault.item === item)) print(item, "has no fault", "MISSING");
if (wanted.length + faults.length === 0) print(values.only ?? "", "", "no such item is listed");

/** @typedef {{ folder: string, runner: TestRunner }} Copy */
/** @type {Copy[]} */
const copies = [];
const scratch = await realpath(await mkdtemp(join(tmpdir(), "postern-mutants-")));
try {
  for (let at = 0; at < workers; at += 1) {
    const folder = join(scratch, `copy-${at}`);
    copies.push({ folder, runner: new TestRunner(folder) });
  }
  await Promise.all(copies.map(({ folder }) => copyRepository(root, folder)));
  const sound = await findSound();
  const queue = [...faults];
  await Promise.all(
    copies.map(async (copy) => {
      for (let fault = queue.shift(); fault !== undefined; fault = queue.shift()) {
        const problem = sound.has(toKey(fault))
          ? await findProblem(copy, fault)
          : "its test does not pass without the fault, or is not there";
        print(fault.item, fault.what, problem);
      }
    }),
  );
} finally {
  for (const { runner } of copies) runner.close();
  await rm(scratch, { recursive: true, force: true });
}
console.log(`${count.passed} passed, ${count.failed} failed, 0 skipped`);
process.exitCode = count.failed === 0 && count.passed > 0 ? 0 : 1;

/**
 * Tells which tests pass as the code is: a test that fails anyway proves nothing.
 *
 * @returns {Promise<ReadonlySet<string>>}
 */
async function findSound() {
  const files = [...new Set(faults.map(({ test }) => test))];
  const shares = copies.map((_, share) => files.filter((__, at) => at % copies.length === share));
  const runs = await Promise.all(
    copies.map(async ({ runner }, share) => {
      const own = faults.filter(({ test }) => shares[share]?.includes(test));
      return own.length === 0 ? [] : (await runner.run(own)).outcomes;
    }),
  );
  const outcomes = runs.flat();
  const failed = new Set(outcomes.filter(({ status }) => status === "failed").map(toOutcomeKey));
  return new Set(outcomes.map(toOutcomeKey).filter((key) => !failed.has(key)));
}

/**
 * Breaks a copy, runs the test and mends the copy.
 *
 * @param {Copy} copy
 * @param {Fault} fault
 * @returns {Promise<string>} Empty when the test found the fault.
 */
async function findProblem({ folder, runner }, fault) {
  const change = await readFaulty(folder, fault);
  if (typeof change === "string") return change;
  const path = join(folder, fault.file);
  await writeFile(path, change.faulty);
  try {
    const { outcomes, output } = await runner.run([fault], [fault.file]);
    const failed = outcomes.filter(({ status }) => status === "failed");
    // A file that does not load has no outcome at all, and finds nothing.
    if (outcomes.length === 0) return `no test ran:\n${output}`;
    if (failed.length === 0) return "SURVIVED: the test passes with the fault";
    return failed.length === 1 &&
      failed[0] !== undefined &&
      toOutcomeKey(failed[0]) === toKey(fault)
      ? ""
      : `others failed too: ${failed.map(({ name }) => name).join(", ")}`;
  } finally {
    await writeFile(path, change.text);
  }
}

/** @param {Fault} fault */
function toKey({ test, name }) {
  return `${test} ${name}`;
}

/** @param {import("./run-tests.mjs").Outcome} outcome */
function toOutcomeKey({ file, name }) {
  return `${file} ${name}`;
}

/**
 * @param {string} item
 * @param {string} what
 * @param {string} problem
 */
function print(item, what, problem) {
  count[problem === "" ? "passed" : "failed"] += 1;
  console.log(`${problem === "" ? "ok  " : "FAIL"} ${item.padEnd(6)} ${what}`);
  if (problem !== "") console.log(`            ${problem}`);
}
