import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { openFolder, peerServer, type PeerName } from "@postern/test-kit";

const bin = fileURLToPath(new URL("../dist/bin.js", import.meta.url));

/** How a run of the program ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** An owner's folder, a project folder, and the built program between them. */
export interface Bench extends AsyncDisposable {
  readonly home: string;
  readonly project: string;
  /** Runs the program and waits for its end. */
  run(...words: readonly string[]): Promise<Ended>;
  /** The same, with `--json`; the answer parsed. */
  json(...words: readonly string[]): Promise<{ readonly code: number | null; readonly answer: any }>;
  /** Starts the program and does not wait. */
  start(...words: readonly string[]): ChildProcess;
  /** Runs it with stdin and stderr on a pseudo-terminal; what is typed is answered to its first question. */
  runOnTerminal(words: readonly string[], typed?: string): Promise<Ended>;
  /** Adds one of the servers that nobody here wrote. */
  addPeer(name: string, peer: PeerName, ...args: readonly string[]): Promise<void>;
  /** Writes a file of the owner's folder or the project. */
  write(path: string, content: object | string): Promise<void>;
}

/** Whether util-linux's `script` is there to make a pseudo-terminal. */
export const hasTerminal = spawnSync("script", ["--version"]).status === 0;

/**
 * Makes fresh folders; the bundled tools are off unless asked for, so that runs start nothing but their own servers.
 *
 * @param options - `env`: variables of the program. `bundled`: leave the bundled tools on.
 */
export async function openBench(
  options: { readonly env?: Readonly<Record<string, string>>; readonly bundled?: boolean } = {},
): Promise<Bench> {
  const folder = await openFolder();
  const [home, project] = [folder.join("home"), folder.join("project")];
  await Promise.all([mkdir(home, { mode: 0o700 }), mkdir(project)]);
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder.path, POSTERN_HOME: home };
  const start = (...words: readonly string[]): ChildProcess =>
    spawn(process.execPath, [bin, ...words], {
      cwd: project,
      env: { ...env, ...options.env },
      stdio: "pipe",
    });
  const bench: Bench = {
    home,
    project,
    start,
    run: (...words) => finish(start(...words), ""),
    async json(...words) {
      const { code, stdout } = await bench.run(...words, "--json");
      return { code, answer: JSON.parse(stdout) };
    },
    async runOnTerminal(words, typed = "") {
      const out = join(folder.path, "stdout");
      const line = [process.execPath, bin, ...words].map(quote).join(" ");
      const child = spawn("script", ["-qec", `${line} > ${quote(out)}`, "/dev/null"], {
        cwd: project,
        env: { ...env, TERM: "xterm", ...options.env },
      });
      const { code, stdout } = await finish(child, typed);
      return { code, stdout: await readText(out), stderr: stdout };
    },
    async addPeer(name, peer, ...args) {
      const target = peerServer(peer, args);
      const flags = target.args.flatMap((arg) => ["--arg", arg]);
      const { code, stderr } = await bench.run("mcp", "add", name, "--command", target.command, ...flags);
      if (code !== 0) throw new Error(stderr);
    },
    async write(path, content) {
      const data = typeof content === "string" ? content : JSON.stringify(content);
      await writeFile(join(folder.path, path), data, { mode: 0o600 });
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
  if (options.bundled !== true)
    await bench.write("home/settings.json", { general: { bundled_tools: { enabled: false } } });
  return bench;
}

/** Waits for a program's end. */
export async function finish(child: ChildProcess, typed = ""): Promise<Ended> {
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error("no pipes");
  if (typed === "") stdin.end();
  else stdout.once("data", () => stdin.write(typed));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [out, err, code] = await Promise.all([text(stdout), text(stderr), ended]);
  return { code, stdout: out, stderr: err };
}
