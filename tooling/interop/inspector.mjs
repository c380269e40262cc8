// @ts-check
import { copyFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProcess } from "./run-process.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const entry = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js";

/** @typedef {(args: readonly string[]) => Promise<import("./run-process.mjs").Done>} Run */

/**
 * Installs the MCP Inspector as its lock file has it, without scripts.
 *
 * @param {string} folder An empty one; also the Inspector's home.
 * @param {string} node A Node that is new enough for it.
 * @returns {Promise<Run>} Runs its command line.
 */
export async function installInspector(folder, node) {
  for (const file of ["package.json", "package-lock.json"])
    await copyFile(join(here, file), join(folder, file));
  const flags = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"];
  const { code, output } = await runProcess("npm", flags, { cwd: folder, env: toOwnEnvironment() });
  if (code !== 0) throw new Error(`The Inspector was not installed:\n${output}`);
  const env = { PATH: `${dirname(node)}:${process.env["PATH"] ?? ""}`, HOME: folder };
  return (args) => runProcess(node, [join(folder, entry), "--cli", ...args], { cwd: folder, env });
}

/** Nothing that the package manager which started us put there: npm would take it for its own flags. */
function toOwnEnvironment() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|pnpm_|NODE_OPTIONS$)/i.test(name)),
  );
}
