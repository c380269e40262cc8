// @ts-check
import { existsSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { findExportNames } from "./check-documented.mjs";
import { readSource } from "../source-file.mjs";
import { readEntries, readText } from "../workspace.mjs";

/** @typedef {import("../workspace.mjs").WorkspacePackage} WorkspacePackage */

/**
 * Checks what every published package has: a changeset or a changelog, and a test that lists its exports.
 *
 * @param {string} root
 * @param {WorkspacePackage} workspacePackage
 * @returns {readonly string[]}
 */
export function checkPackage(root, workspacePackage) {
  return [
    ...checkChangeset(root, workspacePackage),
    ...[...readEntries(workspacePackage).values()].flatMap((entry) =>
      checkExportsTest(root, workspacePackage, entry),
    ),
  ];
}

/**
 * @param {string} root
 * @param {WorkspacePackage} workspacePackage
 */
function checkChangeset(root, { name, folder, directory }) {
  if (existsSync(join(directory, "CHANGELOG.md"))) return [];
  const changesets = join(root, ".changeset");
  const texts = existsSync(changesets)
    ? readdirSync(changesets)
        .filter((file) => file.endsWith(".md"))
        .map((file) => readText(join(changesets, file)) ?? "")
    : [];
  const found = texts.some((text) =>
    new RegExp(`^["']?${name}["']?: *(patch|minor|major)$`, "m").test(text),
  );
  return found ? [] : [`${folder}: no changeset names ${name}, and there is no CHANGELOG.md`];
}

/**
 * A test beside the entry point, or at the root of the sources, imports it and names each of its exports.
 *
 * @param {string} root
 * @param {WorkspacePackage} workspacePackage
 * @param {string} entry
 */
function checkExportsTest(root, { directory }, entry) {
  const source = join(directory, "src");
  const file = readSource(root, entry);
  for (const folder of [dirname(entry), source]) {
    const text = readText(join(folder, "exports.test.ts")) ?? "";
    const specifier = `./${relative(folder, entry).replaceAll("\\", "/").replace(/\.ts$/, ".js")}`;
    if (!text.includes(`"${specifier}"`)) continue;
    return findExportNames(file)
      .filter((name) => !text.includes(`"${name}"`))
      .map((name) => `${file.path}: exports.test.ts does not list ${name}`);
  }
  return [`${file.path}: no exports.test.ts lists what it exports`];
}
