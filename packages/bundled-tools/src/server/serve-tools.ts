import { statSync } from "node:fs";
import { resolve } from "node:path";
import { byTags } from "@postern/policy";
import { toolSet, type ToolSet } from "@postern/tool";
import type { ServerIdentity } from "@postern/tool-server";
import { bundledErrors } from "../errors.js";
import { bundledTools, createRootUserGuard } from "../bundled-tools.js";
import { findRootWarning } from "../root-user.js";
import { readVersion } from "../version.js";
import type { ProgramIo } from "./io.js";
import type { HttpFlags, ServeFlags } from "./parse-flags.js";
import { toInstructions } from "./to-instructions.js";

/**
 * Serves the tools until the client is gone, or over HTTP until the process is asked to end.
 *
 * @param flags - What to serve, and how.
 * @param io - The environment and the outputs.
 * @throws {PosternError} `ROOT_FOLDER_UNAVAILABLE`, or what the server cannot start for.
 */
export async function serveTools(flags: ServeFlags, io: ProgramIo): Promise<void> {
  const root = resolve(io.directory, flags.root ?? ".");
  assertDirectory(root);
  const warning = findRootWarning(createRootUserGuard({ env: io.env }));
  if (warning !== undefined) io.log(warning);
  const tools = toPermitted(
    toolSet(bundledTools({ root, env: io.env, environment: io.environment })),
    flags,
  );
  const identity = await toIdentity(tools);
  if (flags.http === undefined) await serveOverStdio({ identity, tools }, flags, io);
  else await serveOverHttp({ identity, tools }, flags.http, io);
}

interface Served {
  readonly identity: ServerIdentity;
  readonly tools: ToolSet;
}

async function toIdentity(tools: ToolSet): Promise<ServerIdentity> {
  return {
    name: "postern-tools",
    version: readVersion(),
    title: "Postern bundled tools",
    instructions: toInstructions(await tools.list()),
  };
}

// The tools check their arguments themselves, after nulls that mean nothing were left out.
const validateArguments = false;

function assertDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw bundledErrors.ROOT_FOLDER_UNAVAILABLE();
}

function toPermitted(tools: ToolSet, { includeTags, excludeTags }: ServeFlags): ToolSet {
  if (includeTags.length === 0 && excludeTags.length === 0) return tools;
  return tools.restrict(
    byTags({
      ...(includeTags.length > 0 ? { include: includeTags } : {}),
      ...(excludeTags.length > 0 ? { exclude: excludeTags } : {}),
    }),
  );
}

async function serveOverStdio(
  { identity, tools }: Served,
  { grants }: ServeFlags,
  io: ProgramIo,
): Promise<void> {
  const { log, signal } = io;
  const { serveStdio } = await import("@postern/tool-server/stdio");
  const server = await serveStdio(identity, tools, {
    validateArguments,
    believesGrants: grants,
    onError: (error) => log(toLogLine(error)),
  });
  signal.addEventListener("abort", () => void server.close(), { once: true });
  await server.closed;
}

async function serveOverHttp(
  { identity, tools }: Served,
  flags: HttpFlags,
  io: ProgramIo,
): Promise<void> {
  const [{ bearerAuthentication, createBearer, createMcpEndpoint }, { serveHttp }] =
    await Promise.all([import("@postern/tool-server"), import("@postern/tool-server/node")]);
  const token = createBearer();
  const caller = { kind: "remote", id: "bearer", scopes: [] } as const;
  await using endpoint = createMcpEndpoint(identity, tools, {
    validateArguments,
    allowedHosts: flags.allowedHosts,
    onError: (error) => io.log(toLogLine(error)),
    ...(flags.authenticated ? { authenticate: bearerAuthentication([{ token, caller }]) } : {}),
  });
  await using server = await serveHttp(endpoint, { port: flags.port });
  io.print(`Serving the bundled tools at ${server.url}`);
  if (flags.authenticated) io.print(`Bearer token, shown only now: ${token}`);
  io.print(`  ${toAddCommand(server.url, flags.authenticated ? token : undefined)}`);
  await waitForAbort(io.signal);
}

/** The command that makes the server known to Claude Code. */
function toAddCommand(url: string, token: string | undefined): string {
  const header = token === undefined ? "" : ` --header "Authorization: Bearer ${token}"`;
  return `claude mcp add --transport http postern-tools ${url}${header}`;
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener("abort", () => done(), { once: true });
  });
}

function toLogLine(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
