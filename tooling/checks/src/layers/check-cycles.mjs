// @ts-check
import { dirname } from "node:path";
import { findImported, readImports } from "../source-file.mjs";

/** @typedef {import("../source-file.mjs").SourceFile} SourceFile */

/**
 * Finds import cycles, type imports included. Packages cannot form one, since no arrow points up or sideways, so
 * each is looked at alone.
 *
 * @param {import("./check-arrows.mjs").Town} town
 * @returns {readonly string[]}
 */
export function checkCycles({ packages, sources }) {
  return packages.flatMap((workspacePackage) => {
    const files = sources.get(workspacePackage) ?? [];
    const paths = new Map(files.map(({ absolute, path }) => [absolute, path]));
    const graph = new Map(files.map((file) => [file.absolute, findNeighbours(file)]));
    return findCycles(graph).map(
      (cycle) => `import cycle: ${cycle.map((file) => paths.get(file) ?? file).join(" → ")}`,
    );
  });
}

/** @param {SourceFile} file */
function findNeighbours({ absolute, syntax }) {
  return readImports(syntax).flatMap(({ specifier }) => {
    const found = specifier.startsWith(".")
      ? findImported(dirname(absolute), specifier)
      : undefined;
    return found === undefined ? [] : [found];
  });
}

/**
 * One cycle for each place where a walk meets a file that it is still inside of.
 *
 * @param {ReadonlyMap<string, readonly string[]>} graph
 * @returns {readonly (readonly string[])[]}
 */
function findCycles(graph) {
  /** @type {(readonly string[])[]} */
  const cycles = [];
  const done = new Set();
  /** @type {string[]} */
  const trail = [];
  /** @param {string} file */
  const walk = (file) => {
    const at = trail.indexOf(file);
    if (at >= 0) cycles.push([...trail.slice(at), file]);
    if (at >= 0 || done.has(file)) return;
    trail.push(file);
    for (const next of graph.get(file) ?? []) walk(next);
    trail.pop();
    done.add(file);
  };
  for (const file of graph.keys()) walk(file);
  return cycles;
}
