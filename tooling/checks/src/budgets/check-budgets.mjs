// @ts-check
import { readSources } from "../source-file.mjs";
import { isPublic, readWorkspace } from "../workspace.mjs";
import { checkCode } from "./check-code.mjs";
import { checkDocumented } from "./check-documented.mjs";
import { checkPackage } from "./check-package.mjs";
import { checkReadme } from "./check-readme.mjs";
import { checkErrorsDoc, checkErrorTables } from "./errors-doc.mjs";

/**
 * Holds a repository against the house rules that the linter has no rule for.
 *
 * @param {string} root
 * @returns {readonly string[]} One line for each problem.
 */
export function checkBudgets(root) {
  const packages = readWorkspace(root);
  const shipped = packages.filter(isPublic);
  const sources = new Map(packages.map((each) => [each, readSources(root, each)]));
  const files = [...sources.values()].flat();
  return [
    // A check that looks at nothing must not pass.
    ...(files.length === 0 ? ["budgets: no source file was found"] : []),
    ...files.flatMap(checkCode),
    ...packages
      .filter(({ group }) => group !== "tooling")
      .flatMap((each) => checkDocumented(root, each)),
    ...shipped.flatMap((each) => [...checkPackage(root, each), ...checkReadme(root, each)]),
    ...checkErrorTables(root, sources),
    ...checkErrorsDoc(root, shipped),
  ];
}
