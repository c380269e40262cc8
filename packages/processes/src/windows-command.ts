import { win32 } from "node:path";

/** What is handed to the operating system. */
export interface SpawnTarget {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are quoted already. */
  readonly verbatim: boolean;
}

/** What the look-up needs. */
export interface WindowsCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly isFile: (path: string) => boolean;
}

/** Reads a variable; Windows does not tell `Path` from `PATH`. */
function findVariable(env: Readonly<Record<string, string>>, name: string): string | undefined {
  const key = Object.keys(env).find((candidate) => candidate.toUpperCase() === name);
  return key === undefined ? undefined : env[key];
}

function findFile({ command, env, cwd, isFile }: WindowsCommand): string | undefined {
  const endings = (findVariable(env, "PATHEXT") ?? ".COM;.EXE;.BAT;.CMD").split(";");
  const hasEnding = endings.some((ending) => command.toUpperCase().endsWith(ending.toUpperCase()));
  // The current folder is not searched for a bare name: a file in a repository must not stand in for a program.
  const folders = /[\\/:]/.test(command) ? [cwd] : (findVariable(env, "PATH") ?? "").split(";");
  for (const folder of folders.filter((candidate) => candidate !== ""))
    for (const ending of hasEnding ? ["", ...endings] : endings) {
      const file = win32.resolve(folder, command + ending);
      if (isFile(file)) return file;
    }
  return undefined;
}

const escapeMeta = (text: string): string => text.replaceAll(/[()\][%!^"`<>&|;, *?]/g, "^$&");

/** Quotes for the program (backslashes before a quote are doubled), then twice for cmd: its line and the script's `%*`. */
function toQuoted(argument: string): string {
  const inner = argument.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1");
  return escapeMeta(escapeMeta(`"${inner}"`));
}

/**
 * Turns a command into what Windows can start: it finds `npx` as `npx.cmd`, and runs such scripts through cmd.exe
 * with every argument escaped, so that none is read as a command (CVE-2024-27980).
 *
 * @returns Undefined when there is no such program; `unsafe` for an argument that cmd.exe cannot be given.
 */
export function toWindowsTarget(wanted: WindowsCommand): SpawnTarget | "unsafe" | undefined {
  const file = findFile(wanted);
  if (file === undefined) return undefined;
  if (!/\.(?:cmd|bat)$/i.test(file)) return { file, args: wanted.args, verbatim: false };
  if (wanted.args.some((argument) => /[\r\n\0]/.test(argument))) return "unsafe";
  const line = [escapeMeta(win32.normalize(file)), ...wanted.args.map(toQuoted)].join(" ");
  const shell = findVariable(wanted.env, "COMSPEC") ?? "cmd.exe";
  return { file: shell, args: ["/d", "/s", "/c", `"${line}"`], verbatim: true };
}
