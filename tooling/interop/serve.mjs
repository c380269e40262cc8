// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";

/**
 * Starts the built server of the bundled tools over HTTP, and reads where it is and its token from what it prints.
 *
 * @param {string} program
 * @param {string} root The folder it may use.
 * @returns {Promise<{ url: string, token: string, close: () => Promise<void> }>}
 */
export async function serve(program, root) {
  const env = { PATH: process.env["PATH"] ?? "", POSTERN_ALLOW_ROOT_TOOLS: "1" };
  const child = spawn(process.execPath, [program, "--http", "0", "--root", root], { env });
  const left = once(child, "exit");
  let text = "";
  const started = new Promise((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
      if (text.includes("claude mcp add")) resolve(undefined);
    });
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (chunk) => (errors += chunk));
  await Promise.race([
    started,
    left.then(() => Promise.reject(new Error(`The server ended at once:\n${errors}`))),
  ]);
  return {
    url: /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(text)?.[0] ?? "",
    token: /shown only now: (\S+)/.exec(text)?.[1] ?? "",
    async close() {
      child.kill("SIGTERM");
      await left;
    },
  };
}
