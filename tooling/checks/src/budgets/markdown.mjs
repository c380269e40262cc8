// @ts-check

/**
 * @typedef {object} ErrorRow
 * @property {string} code
 * @property {string} when
 * @property {string} remedy
 */

/**
 * The text of the section under a heading of the second level; undefined when there is none.
 *
 * @param {string} markdown
 * @param {string} heading
 * @returns {string | undefined}
 */
export function findSection(markdown, heading) {
  const lines = markdown.split("\n");
  const start = lines.indexOf(`## ${heading}`);
  if (start < 0) return undefined;
  const end = lines.findIndex((line, at) => at > start && line.startsWith("## "));
  return lines.slice(start + 1, end < 0 ? undefined : end).join("\n");
}

/**
 * The headings of the second level, in order. Lines of code blocks do not count.
 *
 * @param {string} markdown
 * @returns {readonly string[]}
 */
export function findHeadings(markdown) {
  return [...markdown.replace(/^```[\s\S]*?^```/gm, "").matchAll(/^## (.+)$/gm)].map(
    ([, heading]) => (heading ?? "").trim(),
  );
}

/**
 * The rows of a table of errors: | `CODE` | when | what to do |.
 *
 * @param {string} section
 * @returns {readonly ErrorRow[]}
 */
export function readErrorRows(section) {
  return section.split("\n").flatMap((line) => {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    const code = /^`([A-Z][A-Z0-9_]*)`$/.exec(cells[1] ?? "")?.[1];
    return code === undefined ? [] : [{ code, when: cells[2] ?? "", remedy: cells[3] ?? "" }];
  });
}

/**
 * The code blocks that quote an example: `<!-- example: NAME.ts -->`, a `ts` fence, and what it prints, if a `text`
 * fence follows.
 *
 * @param {string} markdown
 * @returns {readonly { readonly name: string, readonly code: string, readonly output?: string }[]}
 */
export function findExamples(markdown) {
  const pattern =
    /^<!-- example: (\S+) -->\n+```ts\n([\s\S]*?)^```$(?:\n+```text\n([\s\S]*?)^```$)?/gm;
  return [...markdown.matchAll(pattern)].map(([, name = "", code = "", output]) => ({
    name,
    code,
    ...(output === undefined ? {} : { output }),
  }));
}
