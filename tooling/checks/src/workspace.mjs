// @ts-check
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {boolean} [private]
 * @property {Readonly<Record<string, string | Readonly<Record<string, string>>>>} [exports]
 * @property {Readonly<Record<string, string>>} [bin]
 * @property {Readonly<Record<string, string>>} [dependencies]
 * @property {Readonly<Record<string, string>>} [devDependencies]
 * @property {Readonly<Record<string, string>>} [peerDependencies]
 * @property {Readonly<Record<string, string>>} [optionalDependencies]
 */

/**
 * @typedef {object} WorkspacePackage
 * @property {string} name
 * @property {"packages" | "apps" | "tooling"} group
 * @property {string} folder Relative to the root, for instance `packages/tool`.
 * @property {string} directory Absolute.
 * @property {Manifest} manifest
 */

/** @type {readonly WorkspacePackage["group"][]} */
const groups = ["packages", "apps", "tooling"];

/**
 * Reads a JSON file.
 *
 * @param {string} file
 * @returns {unknown}
 */
export function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

/**
 * Reads a text file; undefined when there is none.
 *
 * @param {string} file
 * @returns {string | undefined}
 */
export function readText(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/**
 * Lists the packages of the workspace.
 *
 * @param {string} root
 * @returns {readonly WorkspacePackage[]}
 */
export function readWorkspace(root) {
  return groups.flatMap((group) =>
    readFolders(join(root, group)).flatMap((entry) => {
      const directory = join(root, group, entry);
      if (!existsSync(join(directory, "package.json"))) return [];
      const manifest = /** @type {Manifest} */ (readJson(join(directory, "package.json")));
      return [{ name: manifest.name, group, folder: `${group}/${entry}`, directory, manifest }];
    }),
  );
}

/**
 * Tells whether a package is published.
 *
 * @param {WorkspacePackage} workspacePackage
 */
export function isPublic({ manifest }) {
  return manifest.private !== true;
}

/**
 * Lists the source files behind a package's exports: subpath → absolute file. Files that are not code are left out.
 *
 * @param {WorkspacePackage} workspacePackage
 * @returns {ReadonlyMap<string, string>}
 */
export function readEntries({ directory, manifest }) {
  const entries = Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]) => {
    const file = typeof target === "string" ? target : target["@postern/source"];
    return file !== undefined && file.endsWith(".ts")
      ? [/** @type {const} */ ([subpath, join(directory, file)])]
      : [];
  });
  return new Map(entries);
}

/** @param {string} directory */
function readFolders(directory) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
    .map((entry) => entry.name)
    .toSorted();
}
