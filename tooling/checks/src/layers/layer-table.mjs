// @ts-check
import { join } from "node:path";
import { readJson } from "../workspace.mjs";

/** @typedef {import("../workspace.mjs").WorkspacePackage} WorkspacePackage */

/**
 * @typedef {object} LayerTable
 * @property {readonly { floor: number, name: string, packages: readonly string[] }[]} floors
 * @property {readonly string[]} testOnly Packages that tests of any floor may import.
 * @property {Readonly<Record<string, readonly string[]>>} nodeFree Package → subpaths that must run without Node.
 * @property {readonly string[]} nodeOnly Third parties that need Node.
 * @property {readonly string[]} oneDoor Third parties that enter a package through one file; `scope/*` allowed.
 */

/**
 * Reads `layers.json`.
 *
 * @param {string} root
 * @returns {LayerTable}
 */
export function readLayerTable(root) {
  return /** @type {LayerTable} */ (readJson(join(root, "layers.json")));
}

/**
 * Maps each package to its floor.
 *
 * @param {LayerTable} table
 * @returns {ReadonlyMap<string, number>}
 */
export function toFloors(table) {
  return new Map(
    table.floors.flatMap(({ floor, packages }) =>
      packages.map((name) => /** @type {const} */ ([name, floor])),
    ),
  );
}

/**
 * Holds the table against the workspace: every package stands in it once, and nothing else does.
 *
 * @param {LayerTable} table
 * @param {readonly WorkspacePackage[]} packages
 * @returns {readonly string[]}
 */
export function checkTable(table, packages) {
  const listed = table.floors.flatMap((floor) => floor.packages);
  const present = new Set(packages.map(({ name }) => name));
  const named = new Set([...listed, ...table.testOnly, ...Object.keys(table.nodeFree)]);
  return [
    ...packages
      .filter(({ name }) => !listed.includes(name))
      .map(({ name }) => `layers.json: ${name} has no floor`),
    ...listed
      .filter((name, at) => listed.indexOf(name) !== at)
      .map((name) => `layers.json: ${name} stands on two floors`),
    ...[...named]
      .filter((name) => !present.has(name))
      .map((name) => `layers.json: there is no package ${name}`),
  ];
}
