// @ts-check
import ts from "../typescript.cjs";
import { lineOf } from "../source-file.mjs";

/** @typedef {import("../source-file.mjs").SourceFile} SourceFile */

const bareErrors = new Set(["Error", "TypeError", "RangeError", "SyntaxError", "AggregateError"]);
const drawers = new Set(["utils", "util", "helpers", "helper", "common", "lib", "misc", "shared"]);

/**
 * Finds what the linter has no rule for: bare errors, notes to oneself without an issue, silenced lint rules without a
 * reason, drawer folders, and code that waits while a library is loaded.
 *
 * @param {SourceFile} file
 * @returns {readonly string[]}
 */
export function checkCode(file) {
  const shipped = file.kind === "source" && !file.path.startsWith("tooling/");
  return [
    ...checkFolders(file),
    ...checkComments(file),
    ...(shipped ? [...checkBareErrors(file), ...checkLoading(file)] : []),
  ];
}

/** @param {SourceFile} file */
function checkFolders({ path }) {
  return path
    .split("/")
    .slice(0, -1)
    .filter((folder) => drawers.has(folder))
    .map(
      (folder) => `${path}: a folder called ${folder} says nothing; name the stage or the thing`,
    );
}

/** @param {SourceFile} file */
function checkComments({ path, syntax }) {
  // Finding comments takes a walk over every node; few files hold a word that is looked for.
  if (!/\b(TODO|FIXME|HACK|XXX)\b|-disable/.test(syntax.text)) return [];
  return readComments(syntax).flatMap(({ text, line }) => {
    const at = `${path}:${line}`;
    const notes = /\b(TODO|FIXME|HACK|XXX)\b(?!.*#\d)/.exec(text);
    const silenced = /(oxlint|eslint)-disable(?!.* -- \S)/.test(text);
    return [
      ...(notes === null ? [] : [`${at}: ${notes[1]} without an issue number`]),
      ...(silenced ? [`${at}: a silenced lint rule gives its reason after \` -- \``] : []),
    ];
  });
}

/**
 * The program of a thread is imported by nobody, and what it throws reaches its parent as text only.
 *
 * @param {string} path
 */
function isThreadProgram(path) {
  return path.endsWith("-worker.mjs");
}

/** @param {SourceFile} file */
function checkBareErrors({ path, syntax }) {
  if (isThreadProgram(path)) return [];
  /** @type {string[]} */
  const problems = [];
  /** @type {(node: ts.Node) => void} */
  const visit = (node) => {
    if (
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      ts.isIdentifier(node.expression) &&
      bareErrors.has(node.expression.text)
    )
      problems.push(
        `${path}:${lineOf(syntax, node)}: a bare ${node.expression.text}; add a code to src/errors.ts`,
      );
    ts.forEachChild(node, visit);
  };
  visit(syntax);
  return problems;
}

/**
 * `require()` of an ES module fails when the module waits at its top level.
 *
 * @param {SourceFile} file
 */
function checkLoading({ path, syntax }) {
  if (path.startsWith("apps/") || path.endsWith("/bin.ts") || isThreadProgram(path)) return [];
  /** @type {string[]} */
  const problems = [];
  /** @type {(node: ts.Node) => void} */
  const visit = (node) => {
    if (ts.isFunctionLike(node) || ts.isClassStaticBlockDeclaration(node)) return;
    const waits = ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier);
    if (waits)
      problems.push(`${path}:${lineOf(syntax, node)}: a library must not await at its top level`);
    ts.forEachChild(node, visit);
  };
  visit(syntax);
  return problems;
}

/**
 * @param {ts.SourceFile} syntax
 * @returns {readonly { readonly text: string, readonly line: number }[]}
 */
function readComments(syntax) {
  /** @type {Map<number, { text: string, line: number }>} */
  const found = new Map();
  /** @param {readonly ts.CommentRange[] | undefined} ranges */
  const add = (ranges = []) => {
    for (const { pos, end } of ranges)
      found.set(pos, {
        text: syntax.text.slice(pos, end),
        line: syntax.getLineAndCharacterOfPosition(pos).line + 1,
      });
  };
  /** @type {(node: ts.Node) => void} */
  const visit = (node) => {
    add(ts.getLeadingCommentRanges(syntax.text, node.getFullStart()));
    add(ts.getTrailingCommentRanges(syntax.text, node.getEnd()));
    ts.forEachChild(node, visit);
  };
  visit(syntax);
  return [...found.values()];
}
