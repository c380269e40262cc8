// @ts-check
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "./typescript.cjs";

/** @typedef {import("./workspace.mjs").WorkspacePackage} WorkspacePackage */

/**
 * @typedef {object} SourceFile
 * @property {string} path Relative to the root, with `/`.
 * @property {string} absolute
 * @property {"source" | "test" | "example"} kind
 * @property {ts.SourceFile} syntax
 */

/**
 * @typedef {object} Import
 * @property {string} specifier
 * @property {number} line
 * @property {boolean} typeOnly
 */

const ignoredFolders = new Set(["node_modules", "dist", "coverage", ".turbo"]);

/**
 * Parses the sources of a package: what it ships, its examples and what its tests use; for tooling everything.
 *
 * @param {string} root
 * @param {WorkspacePackage} workspacePackage
 * @returns {readonly SourceFile[]}
 */
export function readSources(root, { directory, group }) {
  const folders = group === "tooling" ? ["."] : ["src", "examples", "fixtures", "test"];
  return folders
    .flatMap((folder) => findCode(join(directory, folder)))
    .map((absolute) => readSource(root, absolute));
}

/** A file is parsed once, however many of its exports are looked at. @type {Map<string, SourceFile>} */
const parsed = new Map();

/**
 * Parses one file.
 *
 * @param {string} root
 * @param {string} absolute
 * @returns {SourceFile}
 */
export function readSource(root, absolute) {
  const path = relative(root, absolute).replaceAll("\\", "/");
  const text = readFileSync(absolute, "utf8");
  const known = parsed.get(absolute);
  if (known !== undefined && known.path === path && known.syntax.text === text) return known;
  const syntax = ts.createSourceFile(absolute, text, ts.ScriptTarget.Latest, true);
  const file = { path, absolute, kind: toKind(path), syntax };
  parsed.set(absolute, file);
  return file;
}

/**
 * Lists what a file imports: declarations, re-exports, dynamic imports, `require` and import types.
 *
 * @param {ts.SourceFile} syntax
 * @returns {readonly Import[]}
 */
export function readImports(syntax) {
  /** @type {Import[]} */
  const found = [];
  /** @type {(literal: ts.Node | undefined, typeOnly: boolean) => void} */
  const add = (literal, typeOnly) => {
    if (literal !== undefined && ts.isStringLiteralLike(literal))
      found.push({ specifier: literal.text, line: lineOf(syntax, literal), typeOnly });
  };
  /** @type {(node: ts.Node) => void} */
  const visit = (node) => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeOnlyImport(node));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, isTypeOnlyExport(node));
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, true);
    else if (ts.isCallExpression(node) && isImportCall(node)) add(node.arguments[0], false);
    ts.forEachChild(node, visit);
  };
  visit(syntax);
  return found;
}

/**
 * The line of a node, from 1.
 *
 * @param {ts.SourceFile} syntax
 * @param {ts.Node} node
 */
export function lineOf(syntax, node) {
  return syntax.getLineAndCharacterOfPosition(node.getStart(syntax)).line + 1;
}

/**
 * Finds the file that a relative import means.
 *
 * @param {string} fromDirectory
 * @param {string} specifier
 * @returns {string | undefined}
 */
export function findImported(fromDirectory, specifier) {
  const path = join(fromDirectory, specifier);
  const candidates = [path.replace(/\.js$/, ".ts"), path.replace(/\.mjs$/, ".mts"), path];
  return candidates.find((candidate) => existsSync(candidate));
}

/**
 * Files of code below a folder, in a fixed order.
 *
 * @param {string} directory
 * @returns {readonly string[]}
 */
function findCode(directory) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) return ignoredFolders.has(entry.name) ? [] : findCode(path);
      return /(?<!\.d)\.[cm]?[jt]s$/.test(entry.name) ? [path] : [];
    });
}

/**
 * @param {string} path
 * @returns {SourceFile["kind"]}
 */
function toKind(path) {
  if (/\.test\.[cm]?ts$|\/(fixtures?|test)\//.test(path)) return "test";
  return /^[^/]+\/[^/]+\/examples\//.test(path) ? "example" : "source";
}

/** @param {ts.ImportDeclaration} node */
function isTypeOnlyImport({ importClause }) {
  if (importClause === undefined) return false;
  if (importClause.isTypeOnly) return true;
  const { name, namedBindings } = importClause;
  return (
    name === undefined &&
    namedBindings !== undefined &&
    ts.isNamedImports(namedBindings) &&
    namedBindings.elements.length > 0 &&
    namedBindings.elements.every((element) => element.isTypeOnly)
  );
}

/** @param {ts.ExportDeclaration} node */
function isTypeOnlyExport({ isTypeOnly, exportClause }) {
  if (isTypeOnly || exportClause === undefined || !ts.isNamedExports(exportClause))
    return isTypeOnly;
  return (
    exportClause.elements.length > 0 && exportClause.elements.every((element) => element.isTypeOnly)
  );
}

/** @param {ts.CallExpression} node */
function isImportCall({ expression }) {
  if (expression.kind === ts.SyntaxKind.ImportKeyword) return true;
  if (ts.isIdentifier(expression)) return expression.text === "require";
  return (
    ts.isPropertyAccessExpression(expression) &&
    ts.isIdentifier(expression.expression) &&
    expression.expression.text === "require" &&
    expression.name.text === "resolve"
  );
}
