// @ts-check
/**
 * Calls the built server of the bundled tools with the MCP Inspector, which nobody here wrote: it must list every tool
 * of `docs/tools.md`, with schemas it has nothing against, and get real answers. Needs a build, and npm's registry; and
 * `--node PATH` where this Node is older than 22.19, which the Inspector needs.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { installInspector } from "./inspector.mjs";
import { serve } from "./serve.mjs";
import { files, toolCalls } from "./tool-calls.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const program = join(root, "packages/bundled-tools/dist/bin.js");
const { values } = parseArgs({ options: { node: { type: "string", default: process.execPath } } });
const count = { passed: 0, failed: 0 };

const folder = await mkdtemp(join(tmpdir(), "postern-interop-"));
try {
  await inspect();
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(`${count.passed} passed, ${count.failed} failed, 0 skipped`);
process.exitCode = count.failed === 0 && count.passed > 0 ? 0 : 1;

async function inspect() {
  const [project, home] = [join(folder, "project"), join(folder, "inspector")];
  await mkdir(home);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), text);
  }
  const run = await installInspector(home, values.node);
  const server = await serve(program, project);
  try {
    const target = [server.url, "--transport", "http", "--header"];
    const flags = [...target, `Authorization: Bearer ${server.token}`];
    await checkStranger([...target, "Authorization: Bearer guess"], run);
    for (const name of await checkList(flags, run))
      await checkCall(name, { flags, run, port: new URL(server.url).port });
  } finally {
    await server.close();
  }
}

/** @typedef {import("./inspector.mjs").Run} Run */

/**
 * @param {readonly string[]} flags
 * @param {Run} run
 */
async function checkStranger(flags, run) {
  const { code, output } = await run([...flags, "--method", "tools/list"]);
  report("refuses a stranger", code !== 0 && !output.includes("inputSchema"), output);
}

/**
 * @param {readonly string[]} flags
 * @param {Run} run
 * @returns {Promise<readonly string[]>} The tools that are documented, so that each is called whether listed or not.
 */
async function checkList(flags, run) {
  const page = await readFile(join(root, "docs/tools.md"), "utf8");
  const documented = [...page.matchAll(/^## (\w+)$/gm)].map(([, name = ""]) => name);
  const { code, stdout, output } = await run([...flags, "--method", "tools/list", "--strict"]);
  /** @type {{ tools?: { name: string, inputSchema?: object, outputSchema?: object }[] }} */
  const { tools = [] } = parse(stdout);
  const whole = tools.filter(({ inputSchema, outputSchema }) => inputSchema && outputSchema);
  const names = whole.map(({ name }) => name).join(", ");
  report("lists every documented tool, with its schemas", names === documented.join(", "), output);
  report("lists schemas that every client can use", code === 0, output);
  return documented;
}

/**
 * @param {string} name
 * @param {{ flags: readonly string[], run: Run, port: string }} context
 */
async function checkCall(name, { flags, run, port }) {
  const call = toolCalls[name];
  if (call === undefined) return report(`calls ${name}`, false, "tool-calls.mjs has no call of it");
  const pairs = Object.entries(call.args).flatMap(([key, value]) => [
    "--tool-arg",
    `${key}=${value.replaceAll("{port}", port)}`,
  ]);
  const done = await run([...flags, "--method", "tools/call", "--tool-name", name, ...pairs]);
  /** @type {{ content?: { text?: string }[], structuredContent?: object, isError?: boolean }} */
  const { content = [], structuredContent, isError = false } = parse(done.stdout);
  const text = content.map((block) => block.text ?? "").join("\n");
  const isRight =
    isError === (call.fails ?? false) &&
    structuredContent !== undefined &&
    (typeof call.answer === "string" ? text.includes(call.answer) : call.answer.test(text));
  return report(`calls ${name}`, isRight, done.output);
}

/**
 * @param {string} title
 * @param {boolean} isRight
 * @param {string} output
 */
function report(title, isRight, output) {
  count[isRight ? "passed" : "failed"] += 1;
  console.log(`${isRight ? "ok  " : "FAIL"} ${title}`);
  if (!isRight) console.log(output.replace(/^/gm, "     "));
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
