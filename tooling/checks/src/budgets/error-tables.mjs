// @ts-check
import { existsSync } from "node:fs";
import { join } from "node:path";
import ts from "../typescript.cjs";
import { readSource } from "../source-file.mjs";

/** @typedef {import("../workspace.mjs").WorkspacePackage} WorkspacePackage */

/**
 * Reads the codes of a package's error tables from its `src/errors.ts`: code → message, with `…` for what the message
 * takes from the error's data.
 *
 * @param {string} root
 * @param {WorkspacePackage} workspacePackage
 * @returns {ReadonlyMap<string, string>}
 */
export function readErrorTables(root, { directory }) {
  const path = join(directory, "src/errors.ts");
  if (!existsSync(path)) return new Map();
  const { syntax } = readSource(root, path);
  /** @type {Map<string, string>} */
  const codes = new Map();
  /** @type {(node: ts.Node) => void} */
  const visit = (node) => {
    if (isTableCall(node)) for (const [code, text] of readTable(node)) codes.set(code, text);
    ts.forEachChild(node, visit);
  };
  visit(syntax);
  return codes;
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
