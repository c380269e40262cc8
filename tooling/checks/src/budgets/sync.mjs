// @ts-check
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isPublic, readText, readWorkspace } from "../workspace.mjs";
import { checkErrorsDoc, errorsDoc, toErrorsDoc } from "./errors-doc.mjs";

/**
 * Brings what is written twice in line with its source: the examples that READMEs quote, and the page of errors.
 *
 * @param {string} root
 * @returns {readonly string[]} The files that changed.
 */
export function writeCopies(root) {
  const packages = readWorkspace(root).filter(isPublic);
  const pages = packages.flatMap((each) => {
    const text = readText(join(each.directory, "README.md"));
    return text === undefined
      ? []
      : [{ path: `${each.folder}/README.md`, text: withExamples(each.directory, text) }];
  });
  // The formatter aligns the page's tables, so its text is not compared: its rows are.
  const isStale = checkErrorsDoc(root, packages).length > 0;
  const errorsPage = { path: errorsDoc, text: toErrorsDoc(root, packages) };
  return [...pages, ...(isStale ? [errorsPage] : [])]
    .filter(({ path, text }) => readText(join(root, path)) !== text)
    .map(({ path, text }) => {
      writeFileSync(join(root, path), text);
      return path;
    });
}

/**
 * @param {string} directory
 * @param {string} text
 */
function withExamples(directory, text) {
  return text.replace(
    /^(<!-- example: (\S+) -->\n+```ts\n)[\s\S]*?^```$/gm,
    (block, start, /** @type {string} */ name) => {
      const code = readText(join(directory, "examples", name));
      return code === undefined ? block : `${start}${code}\`\`\``;
    },
  );
}
