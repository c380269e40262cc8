import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";

/**
 * Reads the program and arguments of a process.
 *
 * @returns Separated by blanks; empty when it ended meanwhile, or the system does not tell.
 */
export async function readCommandLine(pid: number): Promise<string> {
  if (process.platform === "win32") return "";
  if (process.platform !== "linux") return readPs(pid);
  const text = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  return text.replaceAll("\0", " ").trim();
}

function readPs(pid: number): Promise<string> {
  const args = ["-o", "args=", "-p", String(pid)];
  return new Promise((resolve) => {
    execFile("/bin/ps", args, { env: { LC_ALL: "C" } }, (error, stdout) =>
      resolve(error === null ? stdout.trim() : ""),
    );
  });
}
