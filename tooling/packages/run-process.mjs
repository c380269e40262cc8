import { spawn } from "node:child_process";

/**
 * Runs a program to its end.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, timeoutMs?: number, env?: NodeJS.ProcessEnv }} options `env` is ours unless given.
 * @returns {Promise<{ code: number | null, stdout: string, output: string }>} `output` is both streams, for a report.
 */
export function runProcess(command, args, { cwd, timeoutMs = 120_000, env = process.env }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: toCleanEnv(env),
      stdio: ["ignore", "pipe", "pipe"],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
      shell: process.platform === "win32",
    });
    let stdout = "";
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
    child.on("error", (error) => resolve({ code: null, stdout, output: output + error.message }));
    child.on("close", (code) => resolve({ code, stdout, output }));
  });
}

/** What a user's shell has: nothing that the package manager which started us put there. */
function toCleanEnv(/** @type {NodeJS.ProcessEnv} */ env) {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(npm_|pnpm_|NODE_OPTIONS$|INIT_CWD$)/i.test(name)),
  );
}
