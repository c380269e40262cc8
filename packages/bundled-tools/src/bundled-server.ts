import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The variables of the environment that the bundled server reads; an automatic start passes these and no others. */
export const bundledVariables: readonly string[] = Object.freeze([
  "POSTERN_ALLOW_ROOT_TOOLS",
  "POSTERN_RUN_COMMAND_MAX_TIMEOUT",
  "POSTERN_SENSITIVE_PATTERNS",
  "POSTERN_WEB_ALLOW_HOSTS",
  "TAVILY_API_KEY",
  "EXA_API_KEY",
  "PARALLEL_API_KEY",
  "FIRECRAWL_API_KEY",
  "BRAVE_API_KEY",
  "SERPER_API_KEY",
  "SEMANTIC_SCHOLAR_API_KEY",
  "POSTERN_MAILTO",
]);

/** What a host needs to know to start the bundled server. */
export interface BundledServerOptions {
  /** The folder that the file tools may use. */
  readonly root: string;
  /** The host's environment; only {@link bundledVariables} are taken from it. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How to start the bundled server over stdio. */
export interface BundledServer {
  /** This Node. */
  readonly command: string;
  /** The program of this package and its flags. */
  readonly args: string[];
  /** Exactly the documented variables that the host's environment has. */
  readonly env: Record<string, string>;
}

/**
 * Tells a host how to start the bundled server of this package as a child over stdio. It believes the host what its owner
 * allowed for a call.
 *
 * @param options - The folder the tools may use, and the host's environment.
 * @returns The command, its arguments, and the documented variables of the environment, nothing else of it.
 */
export function bundledServer({ root, env }: BundledServerOptions): BundledServer {
  const set = bundledVariables.flatMap((name): [string, string][] => {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    return value === undefined ? [] : [[name, value]];
  });
  return {
    command: process.execPath,
    args: [findProgram(), "--root", root, "--grants"],
    env: Object.fromEntries(set),
  };
}

/** The built program: beside this module where that is built too, else in the package's `dist`. */
function findProgram(): string {
  const beside = fileURLToPath(new URL("./bin.js", import.meta.url));
  return existsSync(beside) ? beside : fileURLToPath(new URL("../dist/bin.js", import.meta.url));
}
