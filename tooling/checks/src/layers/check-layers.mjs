// @ts-check
import { readSources } from "../source-file.mjs";
import { readWorkspace } from "../workspace.mjs";
import { checkArrows } from "./check-arrows.mjs";
import { checkCycles } from "./check-cycles.mjs";
import { checkDoors } from "./check-doors.mjs";
import { checkNodeFree } from "./check-node-free.mjs";
import { checkTable, readLayerTable, toFloors } from "./layer-table.mjs";

/**
 * Holds the sources of a repository against its `layers.json`.
 *
 * @param {string} root
 * @returns {readonly string[]} One line for each problem.
 */
export function checkLayers(root) {
  const packages = readWorkspace(root);
  const table = readLayerTable(root);
  const sources = new Map(packages.map((each) => [each, readSources(root, each)]));
  // A check that looks at nothing must not pass.
  const parsed = [...sources.values()].flat().length;
  const town = { root, packages, table, sources, floors: toFloors(table) };
  return [
    ...(parsed === 0 ? ["layers: no source file was found"] : []),
    ...checkTable(table, packages),
    ...checkArrows(town),
    ...checkDoors(town),
    ...checkCycles(town),
    ...checkNodeFree(town),
  ];
}
