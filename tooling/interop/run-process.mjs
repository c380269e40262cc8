// @ts-check
import { spawn } from "node:child_process";

/** @typedef {{ code: number | null, stdout: string, output: string }} Done `output` is both streams, for a report. */

/**
 * Runs a program to its end, or for two minutes.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<Done>}
 */
export function runProcess(command, args, { cwd, env }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 120_000,
      killSignal: "SIGKILL",
    });
    let stdout = "";
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => (output += text));
    child.on("error", (error) => resolve({ code: null, stdout, output: output + error.message }));
    child.on("close", (code) => resolve({ code, stdout, output }));
  });
}
