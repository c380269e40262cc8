import { spawn } from "node:child_process";

/** @typedef {{ passed: number, failed: number, skipped: number }} Count */

/**
 * Runs a program whose output ends in `N passed, N failed, N skipped`, and passes its output on.
 *
 * @param {readonly string[]} command
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<Count>} One failure at least when the program fails or ends without that line.
 */
export async function runRing([command = "", ...args], options) {
  const { code, output } = await runProcess(command, args, options);
  const lines = [...output.matchAll(/^(\d+) passed, (\d+) failed, (\d+) skipped$/gm)];
  const [, passed = 0, failed = 0, skipped = 0] = (lines.at(-1) ?? []).map(Number);
  const broke = code !== 0 || lines.length === 0;
  return { passed, failed: broke ? Math.max(failed, 1) : failed, skipped };
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<{ code: number | null, output: string }>}
 */
export function runProcess(command, args, { cwd, env = process.env }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32",
    });
    let output = "";
    /** @param {NodeJS.WriteStream} to */
    const pass = (to) => (/** @type {string} */ text) => {
      output += text;
      to.write(text);
    };
    child.stdout.setEncoding("utf8").on("data", pass(process.stdout));
    child.stderr.setEncoding("utf8").on("data", pass(process.stderr));
    child.on("error", (error) => resolve({ code: null, output: output + error.message }));
    child.on("close", (code) => resolve({ code, output }));
  });
}
