// @ts-check
import { join } from "node:path";
import ts from "../typescript.cjs";
import { lineOf } from "../source-file.mjs";
import { readText } from "../workspace.mjs";
import { isTableCall, readErrorTables } from "./error-tables.mjs";
import { findHeadings, findSection, readErrorRows } from "./markdown.mjs";

/**
 * @typedef {import("../workspace.mjs").WorkspacePackage} WorkspacePackage
 * @typedef {import("../source-file.mjs").SourceFile} SourceFile
 * @typedef {import("./markdown.mjs").ErrorRow} ErrorRow
 */

/** Where every code is written down. */
export const errorsDoc = "docs/errors.md";

const head = "| Code | When | What to do |\n| --- | --- | --- |";

/**
 * Writes the page of errors anew: one section for each package with a table, its rows as the package's README words
 * them, or with the message alone where that has none. What stands before the first section stays.
 *
 * @param {string} root
 * @param {readonly WorkspacePackage[]} packages
 * @returns {string}
 */
export function toErrorsDoc(root, packages) {
  const intro = (readText(join(root, errorsDoc)) ?? "# Errors\n\n").split(/^## /m)[0] ?? "";
  const sections = packages.flatMap((workspacePackage) => {
    const rows = readRows(root, workspacePackage);
    if (rows.length === 0) return [];
    const lines = rows.map(({ code, when, remedy }) => `| \`${code}\` | ${when} | ${remedy} |`);
    return [`## ${workspacePackage.name}\n\n${head}\n${lines.join("\n")}\n`];
  });
  return intro.trimEnd() + "\n\n" + sections.join("\n");
}

/**
 * Holds the page of errors against the tables in the code, both ways, and against the words of the READMEs.
 *
 * @param {string} root
 * @param {readonly WorkspacePackage[]} packages
 * @returns {readonly string[]}
 */
export function checkErrorsDoc(root, packages) {
  const text = readText(join(root, errorsDoc)) ?? "";
  const names = new Set(packages.map(({ name }) => name));
  const problems = [
    ...packages.flatMap((each) => checkSection(root, each, text)),
    ...findHeadings(text)
      .filter((heading) => heading.startsWith("@postern/") && !names.has(heading))
      .map((heading) => `there is no package ${heading}`),
  ];
  return problems.map((problem) => `${errorsDoc}: ${problem}; run node tooling/checks/sync.mjs`);
}

/**
 * Finds codes that no test names, and tables outside of files named `errors.ts`, where nothing would look for them.
 *
 * @param {string} root
 * @param {ReadonlyMap<WorkspacePackage, readonly SourceFile[]>} sources
 * @returns {readonly string[]}
 */
export function checkErrorTables(root, sources) {
  const tests = [...sources.values()]
    .flat()
    .filter(({ kind }) => kind === "test")
    .map(({ syntax }) => syntax.text)
    .join("\n");
  return [...sources].flatMap(([workspacePackage, files]) => [
    ...[...readErrorTables(root, workspacePackage).keys()]
      .filter((code) => !new RegExp(`\\b${code}\\b`).test(tests))
      .map((code) => `${workspacePackage.folder}: no test produces ${code}`),
    ...files
      .filter(({ path, kind }) => kind === "source" && !path.endsWith("/errors.ts"))
      .flatMap(findStrayTables),
  ]);
}

/**
 * @param {string} root
 * @param {WorkspacePackage} workspacePackage
 * @param {string} text
 */
function checkSection(root, workspacePackage, text) {
  const { name } = workspacePackage;
  const written = new Map(
    readErrorRows(findSection(text, name) ?? "").map((row) => [row.code, row]),
  );
  const expected = readRows(root, workspacePackage);
  const codes = new Set(expected.map(({ code }) => code));
  return [
    ...expected.flatMap(({ code, when, remedy }) => {
      const row = written.get(code);
      if (row === undefined) return [`lacks ${code} of ${name}`];
      return row.when === when && row.remedy === remedy
        ? []
        : [`${code} is worded otherwise in the README of ${name}`];
    }),
    ...[...written.keys()]
      .filter((code) => !codes.has(code))
      .map((code) => `${code} is not in the code of ${name}`),
  ];
}

/**
 * @param {string} root
 * @param {WorkspacePackage} workspacePackage
 * @returns {readonly ErrorRow[]}
 */
function readRows(root, workspacePackage) {
  const readme = readText(join(workspacePackage.directory, "README.md")) ?? "";
  const rows = readErrorRows(findSection(readme, "Errors") ?? "");
  return [...readErrorTables(root, workspacePackage)].map(
    ([code, message]) =>
      rows.find((row) => row.code === code) ?? {
        code,
        when: message.replaceAll("|", "\\|").replaceAll("\n", " ").trim(),
        remedy: "",
      },
  );
}

/** @param {SourceFile} file */
function findStrayTables({ path, syntax }) {
  /** @type {string[]} */
  const problems = [];
  /** @type {(node: ts.Node) => void} */
  const visit = (node) => {
    if (isTableCall(node))
      problems.push(
        `${path}:${lineOf(syntax, node)}: a table of errors belongs in a file errors.ts`,
      );
    ts.forEachChild(node, visit);
  };
  visit(syntax);
  return problems;
}
