import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * @typedef {object} Fault A way to break the code, and the test that finds it.
 * @property {string} item The listed behaviour that the test stands for.
 * @property {string} what The fault, in one line.
 * @property {string} file
 * @property {string} find A text that the file has once.
 * @property {string} replace
 * @property {string} test The test file.
 * @property {string} name The test's whole name, as vitest's `-t` sees it.
 */

const range = (/** @type {number} */ from, /** @type {number} */ to, prefix = "") =>
  Array.from({ length: to - from + 1 }, (_, at) => `${prefix}${from + at}`);

/** Every behaviour that must have a test which can fail. */
export const items = Object.freeze([
  ...range(1, 19),
  ...range(26, 31),
  ...range(1, 7, "W-E"),
  ...range(1, 7, "W-S"),
  ...range(1, 5, "W-W"),
  "W-W6a",
  "W-W6b",
  "audit",
  "consent",
  "grants",
  "guard",
  "round trip",
]);

/**
 * Reads the tables of all faults.
 *
 * @param {string} folder
 * @returns {Promise<readonly Fault[]>}
 */
export async function readFaults(folder) {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".mjs")).toSorted();
  const tables = names.map((name) => import(pathToFileURL(join(folder, name)).href));
  return (await Promise.all(tables)).flatMap(({ faults }) => faults);
}

/**
 * Puts a fault into a text.
 *
 * @param {string} root
 * @param {Fault} fault
 * @returns {Promise<{ text: string, faulty: string } | string>} The file before and after, or why that cannot be.
 */
export async function readFaulty(root, { file, find, replace }) {
  try {
    const text = await readFile(join(root, file), "utf8");
    const count = text.split(find).length - 1;
    if (count !== 1) return `the text to replace occurs ${count} times in ${file}`;
    return { text, faulty: text.replace(find, () => replace) };
  } catch {
    return `${file} cannot be read`;
  }
}
