// @ts-check

/**
 * @typedef {object} ToolCall
 * @property {Readonly<Record<string, string>>} args As the Inspector takes them; `{port}` is the server's own.
 * @property {string | RegExp} answer What the text of the result holds.
 * @property {true} [fails] When the result is an error.
 */

/** What the calls find. */
export const files = {
  "README.md": "# Paint shop\n\nSells paint.\n",
  "src/index.ts": 'import { price } from "./price.js";\n\nconsole.log(price(3));\n',
  "src/price.ts": "export const price = (litres: number): number => litres * 12;\n",
};

/**
 * One call for each tool, none of which needs the internet: web tools are asked for what they must refuse.
 *
 * @type {Readonly<Record<string, ToolCall>>}
 */
export const toolCalls = {
  list_files: { args: { pattern: "*.ts", recursive: "true" }, answer: '"path":"src/price.ts"' },
  find_files: { args: { pattern: "*.md" }, answer: "README.md" },
  read_file: { args: { path: "README.md" }, answer: "3: Sells paint." },
  grep: { args: { pattern: "litres" }, answer: "litres * 12" },
  write_file: {
    args: { path: "notes.txt", content: "Buy paint." },
    answer: '"bytes_written":10',
  },
  edit_file: {
    args: { path: "README.md", old_string: "Sells paint.", new_string: "Sells brushes." },
    answer: '"replacements":1',
  },
  run_command: { args: { command: "echo painted" }, answer: '"stdout":"painted\\n"' },
  web_fetch: {
    args: { url: "http://127.0.0.1:{port}/mcp" },
    answer: '"code":"ADDRESS_REFUSED"',
    fails: true,
  },
  download_file: {
    args: { url: "http://127.0.0.1:{port}/mcp", file_path: "page.html" },
    answer: '"code":"ADDRESS_REFUSED"',
    fails: true,
  },
  web_search: { args: { query: " " }, answer: /"error":"[^"]/, fails: true },
  search_papers: { args: { query: " " }, answer: /"error":"[^"]/, fails: true },
};
