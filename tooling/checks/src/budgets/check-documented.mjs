// @ts-check
import { dirname } from "node:path";
import ts from "../typescript.cjs";
import { findImported, lineOf, readSource } from "../source-file.mjs";
import { readEntries } from "../workspace.mjs";

/**
 * @typedef {import("../source-file.mjs").SourceFile} SourceFile
 * @typedef {import("../workspace.mjs").WorkspacePackage} WorkspacePackage
 * @typedef {{ readonly exported: string, readonly local: string, readonly file: SourceFile }} Export
 */

/**
 * Finds exports of a package's entry points without a doc comment, and undocumented members of exported interfaces
 * and classes. An entry point only names what it exports, so that the list can be read in one place.
 *
 * @param {string} root
 * @param {WorkspacePackage} workspacePackage
 * @returns {readonly string[]}
 */
export function checkDocumented(root, workspacePackage) {
  const problems = [...readEntries(workspacePackage).values()].flatMap((entry) => {
    const file = readSource(root, entry);
    return [
      ...checkNamesOnly(file),
      ...readExports(file).flatMap((each) => checkExport(root, each)),
    ];
  });
  return [...new Set(problems)];
}

/**
 * Lists the runtime exports of an entry point by name; types are left out.
 *
 * @param {SourceFile} file
 * @returns {readonly string[]}
 */
export function findExportNames({ syntax }) {
  return syntax.statements.flatMap((statement) =>
    ts.isExportDeclaration(statement) &&
    !statement.isTypeOnly &&
    statement.exportClause !== undefined &&
    ts.isNamedExports(statement.exportClause)
      ? statement.exportClause.elements
          .filter((element) => !element.isTypeOnly)
          .map((element) => element.name.text)
      : [],
  );
}

/** @param {SourceFile} file */
function checkNamesOnly({ path, syntax }) {
  return syntax.statements.flatMap((statement) => {
    const line = lineOf(syntax, statement);
    if (ts.isExportDeclaration(statement))
      return statement.exportClause !== undefined && ts.isNamedExports(statement.exportClause)
        ? []
        : [`${path}:${line}: an entry point names its exports, \`export *\` does not`];
    const isExported =
      ts.isExportAssignment(statement) ||
      (ts.canHaveModifiers(statement) && hasModifier(statement, ts.SyntaxKind.ExportKeyword));
    return isExported && /(^|\/)index\.ts$/.test(path)
      ? [`${path}:${line}: an index.ts only names exports, and declares none`]
      : [];
  });
}

/**
 * @param {SourceFile} file
 * @returns {readonly Export[]}
 */
function readExports(file) {
  return file.syntax.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement))
      return statement.exportClause !== undefined && ts.isNamedExports(statement.exportClause)
        ? statement.exportClause.elements.map(({ name, propertyName }) => ({
            exported: name.text,
            local: (propertyName ?? name).text,
            file,
          }))
        : [];
    if (!ts.canHaveModifiers(statement) || !hasModifier(statement, ts.SyntaxKind.ExportKeyword))
      return [];
    return declaredNames(statement).map((name) => ({ exported: name, local: name, file }));
  });
}

/**
 * @param {string} root
 * @param {Export} each
 * @returns {readonly string[]}
 */
function checkExport(root, { exported, local, file }) {
  const declarations = file.syntax.statements.filter((statement) =>
    declaredNames(statement).includes(local),
  );
  const first = declarations[0];
  if (first === undefined) return checkElsewhere(root, { exported, local, file });
  const at = `${file.path}:${lineOf(file.syntax, first)}`;
  return [
    ...(declarations.some((each) => isDocumented(file.syntax, each))
      ? []
      : [`${at}: ${exported} is exported without a doc comment`]),
    ...declarations.flatMap((each) => checkMembers(file, each)),
  ];
}

/**
 * Follows a name to the file that it comes from; names of other packages are theirs to document.
 *
 * @param {string} root
 * @param {Export} each
 * @returns {readonly string[]}
 */
function checkElsewhere(root, { exported, local, file }) {
  for (const statement of file.syntax.statements) {
    const source = findSource(statement, local);
    if (source === undefined || !source.specifier.startsWith(".")) continue;
    const target = findImported(dirname(file.absolute), source.specifier);
    if (target === undefined) continue;
    return checkExport(root, { exported, local: source.name, file: readSource(root, target) });
  }
  return [];
}

/**
 * @param {ts.Statement} statement
 * @param {string} local
 * @returns {{ readonly specifier: string, readonly name: string } | undefined}
 */
function findSource(statement, local) {
  if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return undefined;
  const literal = statement.moduleSpecifier;
  if (literal === undefined || !ts.isStringLiteral(literal)) return undefined;
  const bindings = ts.isImportDeclaration(statement)
    ? statement.importClause?.namedBindings
    : statement.exportClause;
  if (bindings === undefined || (!ts.isNamedImports(bindings) && !ts.isNamedExports(bindings)))
    return undefined;
  for (const { name, propertyName } of bindings.elements) {
    const [inner, outer] = [(propertyName ?? name).text, name.text];
    if ((ts.isNamedExports(bindings) ? inner : outer) === local)
      return { specifier: literal.text, name: inner };
  }
  return undefined;
}

/**
 * @param {SourceFile} file
 * @param {ts.Statement} statement
 */
function checkMembers({ path, syntax }, statement) {
  if (!ts.isInterfaceDeclaration(statement) && !ts.isClassDeclaration(statement)) return [];
  const owner = statement.name?.text ?? "class";
  return [...statement.members]
    .filter((member) => isPublicMember(member) && !isDocumented(syntax, member))
    .map(
      (member) =>
        `${path}:${lineOf(syntax, member)}: ${owner}.${member.name?.getText(syntax)} has no doc comment`,
    );
}

/**
 * A member that readers see: named, not private, not one that repeats what it overrides, and not the `kind` of a union,
 * whose value says it all.
 *
 * @param {ts.ClassElement | ts.TypeElement} member
 */
function isPublicMember(member) {
  if (member.name === undefined || ts.isPrivateIdentifier(member.name)) return false;
  if (
    ts.isPropertySignature(member) &&
    member.type !== undefined &&
    ts.isLiteralTypeNode(member.type)
  )
    return false;
  const hidden = [
    ts.SyntaxKind.PrivateKeyword,
    ts.SyntaxKind.ProtectedKeyword,
    ts.SyntaxKind.OverrideKeyword,
  ];
  return !(ts.canHaveModifiers(member) && hidden.some((kind) => hasModifier(member, kind)));
}

/**
 * @param {ts.HasModifiers} node
 * @param {ts.SyntaxKind} kind
 */
function hasModifier(node, kind) {
  return ts.getModifiers(node)?.some((modifier) => modifier.kind === kind) ?? false;
}

/**
 * @param {ts.SourceFile} syntax
 * @param {ts.Node} node
 */
function isDocumented(syntax, node) {
  const ranges = ts.getLeadingCommentRanges(syntax.text, node.getFullStart()) ?? [];
  return ranges.some(({ pos }) => syntax.text.startsWith("/**", pos));
}

/**
 * @param {ts.Statement} statement
 * @returns {readonly string[]}
 */
function declaredNames(statement) {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  if (
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isEnumDeclaration(statement)
  )
    return statement.name === undefined ? [] : [statement.name.text];
  return [];
}
