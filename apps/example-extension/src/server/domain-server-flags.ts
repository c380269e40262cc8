import { parseArgs } from "node:util";

/** What `example-domain-server` was started with. */
export interface DomainServerFlags {
  /** Address to listen on. */
  readonly host: string;
  /** Port; 0 takes a free one. */
  readonly port: number;
  /** The bearer token that clients must send; undefined serves without authentication. */
  readonly token: string | undefined;
}

/** What the arguments ask for. */
export type DomainServerRequest =
  | { readonly kind: "serve"; readonly flags: DomainServerFlags }
  | { readonly kind: "help" }
  | { readonly kind: "version" }
  | { readonly kind: "problem"; readonly problem: string };

/** The help text. */
export const domainServerHelp = `example-domain-server: a domain's tools as an MCP server over HTTP, to copy from.

Usage: example-domain-server [--port PORT] [--host HOST] [--token-env NAME]

  --port PORT       Port to listen on; 0 takes a free one. Default: 8542.
  --host HOST       Address to listen on. Default: 127.0.0.1. Any other than loopback needs a token.
  --token-env NAME  Environment variable that holds the bearer token which clients must send, at least
                    16 characters. Without it, only read-only tools are served, and only on loopback.
  --help            Shows this text.
  --version         Shows the version.
`;

const options = {
  port: { type: "string", default: "8542" },
  host: { type: "string", default: "127.0.0.1" },
  "token-env": { type: "string" },
  help: { type: "boolean", default: false },
  version: { type: "boolean", default: false },
} as const;

/**
 * Reads the command line.
 *
 * @param args - The arguments after the program's name.
 * @param env - The environment; only the variable that `--token-env` names is read.
 * @returns What to do; a problem never holds a value of the environment.
 */
export function parseDomainServerFlags(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): DomainServerRequest {
  let values;
  try {
    ({ values } = parseArgs({ args: [...args], options, allowPositionals: false }));
  } catch (error) {
    return toProblem(error instanceof Error ? error.message : "The arguments cannot be read.");
  }
  if (values.help) return { kind: "help" };
  if (values.version) return { kind: "version" };
  const { host, port, "token-env": tokenEnv } = values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    return toProblem(`--port must be a number from 0 to 65535; it is ${JSON.stringify(port)}.`);
  if (host === "") return toProblem("--host must name an address.");
  const token = tokenEnv === undefined ? undefined : (env[tokenEnv] ?? "");
  if (token !== undefined && !/^[\w.~+/=-]{16,}$/.test(token))
    return toProblem(
      `--token-env: the variable ${JSON.stringify(tokenEnv)} must hold a token of at least 16 letters, digits or -._~+/=. Set it, for instance to the output of: openssl rand -hex 32`,
    );
  return { kind: "serve", flags: { host, port: Number(port), token } };
}

function toProblem(problem: string): DomainServerRequest {
  return { kind: "problem", problem };
}
