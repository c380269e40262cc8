// @ts-check
import { isBuiltin } from "node:module";
import { dirname, join, sep } from "node:path";
import { readImports } from "../source-file.mjs";

/**
 * @typedef {import("../workspace.mjs").WorkspacePackage} WorkspacePackage
 * @typedef {import("../source-file.mjs").SourceFile} SourceFile
 * @typedef {import("../source-file.mjs").Import} Import
 */

/**
 * @typedef {object} Town Everything that the layer checks look at.
 * @property {string} root
 * @property {readonly WorkspacePackage[]} packages
 * @property {import("./layer-table.mjs").LayerTable} table
 * @property {ReadonlyMap<string, number>} floors
 * @property {ReadonlyMap<WorkspacePackage, readonly SourceFile[]>} sources
 */

/**
 * Finds wrong arrows: imports that point up or sideways, leave their package, reach into another's sources, or are
 * not declared. Type imports count.
 *
 * @param {Town} town
 * @returns {readonly string[]}
 */
export function checkArrows(town) {
  return town.packages.flatMap((from) => [
    ...checkManifest(town, from),
    ...(town.sources.get(from) ?? []).flatMap((file) =>
      readImports(file.syntax).flatMap((found) => {
        const problem = findProblem(town, { from, file, found });
        return problem === undefined ? [] : [`${file.path}:${found.line}: ${problem}`];
      }),
    ),
  ]);
}

/**
 * The package that a bare specifier names.
 *
 * @param {string} specifier
 */
export function toPackageName(specifier) {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/**
 * @param {Town} town
 * @param {{ from: WorkspacePackage, file: SourceFile, found: Import }} at
 * @returns {string | undefined}
 */
function findProblem(town, { from, file, found: { specifier } }) {
  if (specifier.startsWith("."))
    return join(dirname(file.absolute), specifier).startsWith(from.directory + sep)
      ? undefined
      : `leaves its package through ${specifier}`;
  if (isBuiltin(specifier)) return undefined;
  const name = toPackageName(specifier);
  const target = town.packages.find((candidate) => candidate.name === name);
  if (target !== undefined && !isExported(target, specifier))
    return `${specifier} is not among the exports of ${name}`;
  if (target === from)
    return file.kind === "source" ? `imports its own package by name (${name})` : undefined;
  if (!isDeclared(from, file, name))
    return `imports ${name}, which the package.json of ${from.name} does not declare`;
  if (target === undefined) return undefined;
  if (file.kind === "test" && town.table.testOnly.includes(name)) return undefined;
  return findWrongArrow(town, from, name);
}

/**
 * @param {Town} town
 * @param {WorkspacePackage} from
 * @returns {readonly string[]}
 */
function checkManifest(town, from) {
  const { dependencies, peerDependencies, devDependencies } = from.manifest;
  const named = { ...dependencies, ...peerDependencies, ...devDependencies };
  return Object.keys(named).flatMap((name) => {
    if (!town.packages.some((candidate) => candidate.name === name)) return [];
    const onlyForTests =
      town.table.testOnly.includes(name) && !(name in { ...dependencies, ...peerDependencies });
    const problem = onlyForTests ? undefined : findWrongArrow(town, from, name);
    return problem === undefined ? [] : [`${from.folder}/package.json: ${problem}`];
  });
}

/**
 * @param {Town} town
 * @param {WorkspacePackage} from
 * @param {string} target
 */
function findWrongArrow({ floors }, from, target) {
  const here = floors.get(from.name);
  const there = floors.get(target);
  if (here === undefined || there === undefined || there < here) return undefined;
  const direction = there === here ? "sideways" : "up";
  return `${from.name} (floor ${here}) points ${direction} to ${target} (floor ${there})`;
}

/**
 * @param {WorkspacePackage} target
 * @param {string} specifier
 */
function isExported({ name, manifest }, specifier) {
  return Object.hasOwn(manifest.exports ?? {}, `.${specifier.slice(name.length)}`);
}

/**
 * A test may use what is there for development; an example only what its readers install, and zod.
 *
 * @param {WorkspacePackage} from
 * @param {SourceFile} file
 * @param {string} name
 */
function isDeclared({ manifest }, file, name) {
  const runtime = {
    ...manifest.dependencies,
    ...manifest.peerDependencies,
    ...manifest.optionalDependencies,
  };
  const development = manifest.devDependencies ?? {};
  if (Object.hasOwn(runtime, name) || name === "vitest") return true;
  if (file.kind === "example") return name === "zod" && Object.hasOwn(development, name);
  return file.kind === "test" && Object.hasOwn(development, name);
}
