// @ts-check
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readSource } from "../source-file.mjs";
import { readEntries, readText } from "../workspace.mjs";
import { findExportNames } from "./check-documented.mjs";
import { readErrorTables } from "./error-tables.mjs";
import { findExamples, findHeadings, findSection, readErrorRows } from "./markdown.mjs";

/** @typedef {import("../workspace.mjs").WorkspacePackage} WorkspacePackage */

const sections = ["Install", "Example", "Exports", "Errors", "Limits"];

/**
 * Holds a package's README against the package: its sections, its exports, its errors, and the example that it quotes.
 *
 * @param {string} root
 * @param {WorkspacePackage} workspacePackage
 * @returns {readonly string[]}
 */
export function checkReadme(root, workspacePackage) {
  const at = `${workspacePackage.folder}/README.md`;
  const text = readText(join(root, at));
  if (text === undefined) return [`${at}: missing`];
  const problems = [
    ...(workspacePackage.group === "packages" ? checkSections(text) : []),
    ...checkExports(root, workspacePackage, text),
    ...checkErrors(root, workspacePackage, text),
    ...checkQuotes(workspacePackage, text),
  ];
  return problems.map((problem) => `${at}: ${problem}`);
}

/** @param {string} text */
function checkSections(text) {
  const order = findHeadings(text).filter((heading) => sections.includes(heading));
  const missing = sections.filter((section) => !order.includes(section));
  if (missing.length > 0) return missing.map((section) => `no section "## ${section}"`);
  return order.join() === sections.join()
    ? []
    : [`the order of sections is ${sections.join(", ")}`];
}

/**
 * @param {string} root
 * @param {WorkspacePackage} workspacePackage
 * @param {string} text
 */
function checkExports(root, workspacePackage, text) {
  return [...readEntries(workspacePackage).values()]
    .flatMap((entry) => findExportNames(readSource(root, entry)))
    .filter((name) => !new RegExp(`\\b${name}\\b`).test(text))
    .map((name) => `does not name the export ${name}`);
}

/**
 * @param {string} root
 * @param {WorkspacePackage} workspacePackage
 * @param {string} text
 */
function checkErrors(root, workspacePackage, text) {
  const rows = readErrorRows(findSection(text, "Errors") ?? "");
  const named = new Set(rows.map(({ code }) => code));
  return [
    ...[...readErrorTables(root, workspacePackage).keys()]
      .filter((code) => !named.has(code))
      .map((code) => `the table of errors lacks ${code}`),
    ...rows
      .filter(({ when, remedy }) => when === "" || remedy === "")
      .map(({ code }) => `${code} does not say when, and what to do`),
  ];
}

/**
 * @param {WorkspacePackage} workspacePackage
 * @param {string} text
 */
function checkQuotes({ directory, group }, text) {
  const folder = join(directory, "examples");
  const quoted = findExamples(text);
  const files = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith(".ts"))
    : [];
  return [
    ...(group === "packages" && files.length === 0 ? ["there is no examples/*.ts"] : []),
    ...(group === "packages" && quoted.length === 0 ? ["quotes no example"] : []),
    ...quoted
      .filter(({ name, code }) => readText(join(folder, name)) !== code)
      .map(
        ({ name }) =>
          `example ${name} differs from examples/${name}; run node tooling/checks/sync.mjs`,
      ),
    ...(text.match(/^<!-- example:/gm)?.length === (quoted.length || undefined)
      ? []
      : ["an example comment is not followed by a ```ts fence"]),
  ];
}
