// @ts-check
import { isBuiltin } from "node:module";
import { dirname } from "node:path";
import ts from "../typescript.cjs";
import { findImported, lineOf, readImports } from "../source-file.mjs";
import { readEntries } from "../workspace.mjs";
import { toPackageName } from "./check-arrows.mjs";

/**
 * @typedef {import("./check-arrows.mjs").Town} Town
 * @typedef {import("../source-file.mjs").SourceFile} SourceFile
 */

/** Globals that only Node has. `globalThis.process` stays free: that is how one asks whether it is there. */
const nodeGlobals = new Set(["Buffer", "process", "setImmediate", "__dirname", "__filename"]);

/**
 * Finds what ties an entry point to Node that is marked as free of it: everything that it reaches is looked at,
 * through other packages too, type imports included.
 *
 * @param {Town} town
 * @returns {readonly string[]}
 */
export function checkNodeFree(town) {
  const files = new Map([...town.sources.values()].flat().map((file) => [file.absolute, file]));
  const problems = Object.entries(town.table.nodeFree).flatMap(([name, subpaths]) =>
    subpaths.flatMap((subpath) => {
      const workspacePackage = town.packages.find((candidate) => candidate.name === name);
      const entry = workspacePackage && readEntries(workspacePackage).get(subpath);
      if (workspacePackage === undefined) return [];
      if (entry === undefined) return [`layers.json: ${name} does not export ${subpath}`];
      return checkEntry(town, files, entry);
    }),
  );
  return [...new Set(problems)];
}

/**
 * @param {Town} town
 * @param {ReadonlyMap<string, SourceFile>} files
 * @param {string} entry
 */
function checkEntry(town, files, entry) {
  const reached = new Set([entry]);
  /** @type {string[]} */
  const problems = [];
  for (const absolute of reached) {
    const file = files.get(absolute);
    if (file === undefined) continue;
    for (const { specifier, line } of readImports(file.syntax)) {
      const next = findTarget(town, absolute, specifier);
      if (next !== undefined) reached.add(next);
      if (isBuiltin(specifier) || town.table.nodeOnly.includes(toPackageName(specifier)))
        problems.push(`${file.path}:${line}: ${specifier} needs Node, and this must run without`);
    }
    problems.push(...checkGlobals(file));
  }
  return problems;
}

/**
 * @param {Town} town
 * @param {string} from
 * @param {string} specifier
 * @returns {string | undefined}
 */
function findTarget({ packages }, from, specifier) {
  if (specifier.startsWith(".")) return findImported(dirname(from), specifier);
  const target = packages.find(({ name }) => name === toPackageName(specifier));
  return target && readEntries(target).get(`.${specifier.slice(target.name.length)}`);
}

/** @param {SourceFile} file */
function checkGlobals({ path, syntax }) {
  /** @type {string[]} */
  const problems = [];
  /** @type {(node: ts.Node) => void} */
  const visit = (node) => {
    if (ts.isIdentifier(node) && nodeGlobals.has(node.text) && isReference(node))
      problems.push(
        `${path}:${lineOf(syntax, node)}: ${node.text} is Node's, and this must run without`,
      );
    ts.forEachChild(node, visit);
  };
  visit(syntax);
  return problems;
}

/**
 * Not a member's name, a property's name or a name that is declared here.
 *
 * @param {ts.Identifier} node
 */
function isReference(node) {
  const { parent } = node;
  const named = /** @type {{ name?: ts.Node, propertyName?: ts.Node }} */ (
    /** @type {unknown} */ (parent)
  );
  return named.name !== node && named.propertyName !== node && !ts.isQualifiedName(parent);
}
