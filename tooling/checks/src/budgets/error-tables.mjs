// @ts-check
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "../typescript.cjs";
import { readSource } from "../source-file.mjs";

/** @typedef {import("../workspace.mjs").WorkspacePackage} WorkspacePackage */

/**
 * Reads the codes of a package's error tables, from `src/errors.ts` and those of its folders: code → message, with `…` for what the message
 * takes from the error's data.
 *
 * @param {string} root
 * @param {WorkspacePackage} workspacePackage
 * @returns {ReadonlyMap<string, string>}
 */
export function readErrorTables(root, { directory }) {
  /** @type {Map<string, string>} */
  const codes = new Map();
  /** @type {(node: ts.Node) => void} */
  const visit = (node) => {
    if (isTableCall(node)) for (const [code, text] of readTable(node)) codes.set(code, text);
    ts.forEachChild(node, visit);
  };
  const top = join(directory, "src");
  const paths = existsSync(top) ? readdirSync(top, { recursive: true, encoding: "utf8" }) : [];
  for (const path of paths.filter((each) => basename(each) === "errors.ts").toSorted(byDepth))
    visit(readSource(root, join(top, path)).syntax);
  return codes;
}

/**
 * The package's own table first, then those of its folders.
 *
 * @param {string} left
 * @param {string} right
 */
function byDepth(left, right) {
  const depth = left.split("/").length - right.split("/").length;
  return depth === 0 ? left.localeCompare(right) : depth;
}

/**
 * Tells whether a node declares a table of errors.
 *
 * @param {ts.Node} node
 * @returns {node is ts.CallExpression}
 */
export function isTableCall(node) {
  return (
    ts.isCallExpression(node) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === "defineErrors"
  );
}

/**
 * @param {ts.CallExpression} call
 * @returns {readonly (readonly [string, string])[]}
 */
function readTable(call) {
  const table = call.arguments[0];
  if (table === undefined || !ts.isObjectLiteralExpression(table)) return [];
  return table.properties.flatMap((property) =>
    property.name === undefined ? [] : [[property.name.getText(), toText(property)]],
  );
}

/**
 * The text of a message: its longest piece of text, since a function may choose between several.
 *
 * @param {ts.Node} property
 */
function toText(property) {
  /** @type {string[]} */
  const texts = [];
  /** @type {(node: ts.Node) => void} */
  const visit = (node) => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    else if (ts.isTemplateExpression(node))
      texts.push(
        node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join(""),
      );
    else ts.forEachChild(node, visit);
  };
  visit(property);
  return texts.toSorted((a, b) => b.length - a.length)[0] ?? "";
}
