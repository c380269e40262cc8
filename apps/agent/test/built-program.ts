import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { openFolder, peerServer, type PeerName } from "@postern/test-kit";

const small = fileURLToPath(new URL("small-server.mjs", import.meta.url));
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
  json(
    ...words: readonly string[]
  ): Promise<{ readonly code: number | null; readonly answer: unknown }>;
  /** Starts the program and does not wait. */
  start(...words: readonly string[]): ChildProcess;
  /** Runs it with stdin and stderr on a pseudo-terminal, whose text is `stderr` then. */
  runOnTerminal(words: readonly string[], options?: TerminalOptions): Promise<Ended>;
  /** Makes one of the servers that nobody here wrote the only one of mcp.json. */
  addPeer(name: string, peer: PeerName, ...args: readonly string[]): Promise<void>;
  /**
   * Makes `small` the only one, whose tools are `read_thing`, `write_thing`, `control` (answers control characters), `ask`, `odd` (answers
   * what is no content) and `fail` (answers a JSON-RPC error).
   */
  addSmall(): Promise<void>;
  /** Writes a file of the owner's folder or the project. */
  write(path: string, content: object | string): Promise<void>;
}

/** How a run on a pseudo-terminal goes. */
export interface TerminalOptions {
  /** Answered to its first question; without it the input ends. */
  readonly typed?: string;
  /** Put stdout on the terminal too. */
  readonly all?: boolean;
  /** Where stdout goes instead of being given back: a device. */
  readonly to?: string;
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
  const path = `${dirname(process.execPath)}:/usr/bin:/bin`;
  const env = { PATH: path, HOME: folder.path, POSTERN_HOME: home, ...options.env };
  const start = (...words: readonly string[]): ChildProcess =>
    spawn(process.execPath, [bin, ...words], { cwd: project, env, stdio: "pipe" });
  const run = (...words: readonly string[]): Promise<Ended> => finish(start(...words));
  const write: Bench["write"] = async (name, content) => {
    const data = typeof content === "string" ? content : JSON.stringify(content);
    await writeFile(folder.join(name), data, { mode: 0o600 });
  };
  if (options.bundled !== true)
    await write("home/settings.json", { general: { bundled_tools: { enabled: false } } });
  return {
    home,
    project,
    start,
    run,
    write,
    async json(...words) {
      const { code, stdout } = await run(...words, "--json");
      return { code, answer: JSON.parse(stdout) as unknown };
    },
    addPeer: (name, peer, ...args) =>
      write("home/mcp.json", { mcpServers: { [name]: peerServer(peer, args) } }),
    addSmall: () =>
      write("home/mcp.json", {
        mcpServers: { small: { command: process.execPath, args: [small] } },
      }),
    runOnTerminal: (words, terminal = {}) =>
      runOnTerminal(words, { ...terminal, out: folder.join("stdout"), cwd: project, env }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

async function runOnTerminal(
  words: readonly string[],
  options: TerminalOptions & {
    readonly out: string;
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
  },
): Promise<Ended> {
  const { out, to, cwd, env } = options;
  await writeFile(out, "");
  const line = [process.execPath, bin, ...words].map(quote).join(" ");
  const command = options.all === true ? line : `${line} > ${quote(to ?? out)}`;
  const child = spawn("script", ["-qec", command, "/dev/null"], {
    cwd,
    env: { TERM: "xterm", ...env },
  });
  const { code, stdout } = await finish(child, options.typed);
  return { code, stdout: await readFile(out, "utf8"), stderr: stdout };
}

/**
 * Waits for a program's end.
 *
 * @param child - It, with pipes. @param typed - Written to its stdin once it has asked something; else stdin ends.
 */
export async function finish(child: ChildProcess, typed = ""): Promise<Ended> {
  const written = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (part: string) => (written.stdout += part));
  child.stderr?.setEncoding("utf8").on("data", (part: string) => (written.stderr += part));
  child.stdin?.on("error", () => undefined);
  if (typed === "") child.stdin?.end();
  else child.stdout?.once("data", () => child.stdin?.write(typed));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...written };
}

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Process ids whose parent is the given one; those of an ended parent have another by then. Linux only. */
export function findChildren(parent: number | undefined): readonly number[] {
  return readdirSync("/proc").flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, "latin1").replace(/^.*\) /s, "");
      return Number(stat.split(" ")[1]) === parent ? [Number(entry)] : [];
    } catch {
      return [];
    }
  });
}
