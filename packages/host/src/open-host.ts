import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, parse, resolve } from "node:path";
import { bundledServer } from "@postern/bundled-tools/launch";
import {
  connectServers,
  parseCallTimeout,
  type ClientPool,
  type PoolEvent,
  type ServerConfig,
} from "@postern/client-pool";
import { stdioTransport } from "@postern/client-pool/stdio";
import { expandServer, type ServerEntry } from "@postern/config";
import { checkToolKeys } from "@postern/policy";
import { intercept, mergeToolSets, type Interceptor, type Source } from "@postern/tool";
import { readConfiguration, type Configuration } from "./configuration.js";
import { hostErrors } from "./errors.js";
import { createAuditTrail } from "./audit-trail.js";
import { createGuard } from "./guard.js";
import { bundledName, planHost, type HostPlan } from "./host-plan.js";
import type { Host, HostEvent, HostOptions } from "./host-options.js";
import { createPathGate, findRoot, type PathConsent } from "./path-consent.js";
import { createTaintTracker } from "./taint.js";
import { unmountedSet } from "./unmounted-set.js";
import { readVersion } from "./version.js";

type ListingEvent = Extract<PoolEvent, { readonly type: "dropped" | "repaired" }>;

/**
 * Reads the owner's and the project's files, connects the servers they name, and gives them as one governed set.
 *
 * A server that fails is left out and named by `tools.missing()`; the others stay. Nothing of a project file that the
 * owner does not trust starts a process, sends a byte or widens a setting.
 *
 * @param options - Where to read, and what the owner says now.
 * @returns The host; dispose it to end every connection and process.
 * @throws {PosternError} `INVALID_CONFIGURATION`, `UNKNOWN_DOMAIN`, `UNKNOWN_ACCESS_LEVEL`, `INVALID_GUARD_RULE`.
 */
export async function openHost(options: HostOptions): Promise<Host> {
  const configuration = await readConfiguration(options.home, options.project);
  const plan = planHost(configuration, options);
  const tell = (event: HostEvent): void => options.onEvent?.(event);
  const limit = toCallLimit(options);
  if (limit.warning !== undefined) tell({ level: "warning", message: limit.warning });
  const root = findRoot(options.project, configuration.config.paths);
  const pool = await connectServers(toServers(plan, root, options), {
    stdio: stdioTransport,
    baseEnv: options.env,
    callTimeoutMs: limit.timeoutMs,
    ...(options.closeGraceMs === undefined ? {} : { closeGraceMs: options.closeGraceMs }),
    resolve: (name, config) => resolveServer(plan.servers.get(name), config, options),
    clientInfo: { name: "postern", version: readVersion() },
    onEvent: (event) => tell(toHostEvent(event)),
  });
  const notices = [
    ...configuration.notices,
    ...(await findKeyNotices(pool, configuration, options)),
  ];
  const mode = options.guard ?? configuration.config.guard?.mode ?? "off";
  const trail = mode === "off" ? undefined : createAuditTrail(options.home);
  const interceptors = [
    ...(trail === undefined ? [] : [trail.interceptor]),
    ...createTaintTracker(options.taint, configuration.config.guard),
    ...createGuard({ mode, settings: configuration.config.guard, tell }),
    ...createPathGate(toPathConsent(plan, configuration, options)),
  ];
  const close = async (): Promise<void> => {
    await pool.close();
    await trail?.close();
  };
  return createHost(pool, { plan, notices, interceptors, close });
}

function toPathConsent(
  plan: HostPlan,
  { config: { paths: settings = {} } }: Configuration,
  options: HostOptions,
): PathConsent {
  const { home, env, project } = options;
  return {
    home,
    env,
    settings,
    root: findRoot(project, settings),
    servers: plan.servers,
    findDirectory(server) {
      const entry = plan.servers.get(server);
      return entry?.transport.kind === "stdio" ? findFolder(entry, options) : undefined;
    },
  };
}

/** A key of `tool_access` that means no tool, or two, grants nothing; the owner should hear of it. */
async function findKeyNotices(
  pool: ClientPool,
  { config }: Configuration,
  { domain, onlyFor, onlyServers }: HostOptions,
): Promise<readonly string[]> {
  // With some servers left out, a key of one of those is no mistake.
  if (domain !== undefined || onlyFor !== undefined || onlyServers !== undefined) return [];
  if (pool.servers().some(({ state }) => state !== "connected")) return [];
  const keys = Object.keys(config.general.toolAccess);
  if (keys.length === 0) return [];
  return checkToolKeys(keys, await pool.list()).map(({ key, problem }) =>
    problem === "matches_nothing"
      ? `tool_access ${JSON.stringify(key)} means no tool that a server lists, and grants nothing.`
      : `tool_access ${JSON.stringify(key)} means two tools; say server/tool instead.`,
  );
}

interface HostParts {
  readonly plan: HostPlan;
  readonly notices: readonly string[];
  /** Around every call, the first outermost. */
  readonly interceptors: readonly Interceptor[];
  readonly close: () => Promise<void>;
}

function createHost(pool: ClientPool, { plan, notices, interceptors, close }: HostParts): Host {
  const all: Source =
    plan.unmounted.size === 0 ? pool : mergeToolSets(pool, unmountedSet(plan.unmounted));
  return {
    tools: intercept(all.restrict(plan.rule), ...interceptors),
    level: plan.level,
    problems: plan.problems,
    notices,
    servers: () => pool.servers(),
    async findRefusal(name) {
      const listing = (await all.list()).find((candidate) => candidate.name === name);
      const decision = listing === undefined ? undefined : plan.rule(listing);
      return decision === undefined || decision.allow ? undefined : decision.reason;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function toCallLimit({ callTimeoutMs, env }: HostOptions): {
  readonly timeoutMs: number;
  readonly warning?: string;
} {
  return callTimeoutMs === undefined
    ? parseCallTimeout(env["POSTERN_TOOL_CALL_TIMEOUT"])
    : { timeoutMs: callTimeoutMs };
}

function toServers(
  plan: HostPlan,
  root: string,
  options: HostOptions,
): Readonly<Record<string, ServerConfig>> {
  const servers: [string, ServerConfig][] = [...plan.servers].map(([name, entry]) => [
    name,
    toServerConfig(entry, options),
  ]);
  if (plan.bundled)
    servers.unshift([bundledName, { ...bundledServer({ root, env: options.env }), bundled: true }]);
  return Object.fromEntries(servers);
}

/** References stay unresolved here: the pool asks for their values just before each connection. */
function toServerConfig(entry: ServerEntry, options: HostOptions): ServerConfig {
  const { connectTimeoutMs, catalogTimeoutMs, callTimeoutMs, prefix, protocol, disabled } = entry;
  return {
    ...toTarget(entry, options),
    protocol,
    disabled,
    ...(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }),
    ...(catalogTimeoutMs === undefined ? {} : { catalogTimeoutMs }),
    ...(callTimeoutMs === undefined ? {} : { callTimeoutMs }),
    ...(prefix === undefined ? {} : { prefix }),
  };
}

function toTarget(entry: ServerEntry, options: HostOptions): ServerConfig {
  const { transport } = entry;
  if (transport.kind === "http") return { url: transport.url, headers: transport.headers };
  const { command, args, env } = transport;
  return { command, args, env, cwd: findFolder(entry, options) };
}

/**
 * The folder that a server works in: the one that it names, else none of the project. Launchers such as `npx`, `uvx` and `python -m` run and obey what they find
 * in their folder, so the owner's servers do not start in a project: it may be anybody's. Those that the project's own
 * file declares do; that file is trusted, or they would not be started.
 */
function findFolder({ at, transport }: ServerEntry, options: HostOptions): string {
  const { project, env, home } = options;
  const folder = resolve(project);
  if (transport.kind === "stdio" && transport.cwd !== undefined)
    return resolve(folder, transport.cwd);
  if (at !== undefined && at.file !== "" && dirname(resolve(at.file)) === folder) return folder;
  const known = [env["HOME"], env["USERPROFILE"], homedir(), home];
  const found = known.find((path) => path !== undefined && path !== "" && existsSync(path));
  return resolve(found ?? parse(folder).root);
}

function resolveServer(
  entry: ServerEntry | undefined,
  config: ServerConfig,
  options: HostOptions,
): ServerConfig {
  if (entry === undefined) return config; // our own bundled server holds no reference
  const expanded = expandServer(entry, options.env);
  if (!expanded.ok)
    throw hostErrors.UNRESOLVED_SERVER({
      problems: expanded.problems.map(({ message }) => message),
    });
  return { ...config, ...toTarget(expanded.entry, options) };
}

function toHostEvent(event: PoolEvent): HostEvent {
  const { server } = event;
  switch (event.type) {
    case "failed":
    case "lost":
      return { level: "warning", server, message: event.reason };
    case "dropped":
    case "repaired":
      return { level: "info", server, message: toProblemText(event) };
    case "changed":
      return { level: "debug", server, message: `its list of ${event.kind}s changed` };
    case "notification":
      return { level: "debug", server, message: event.method };
    case "connected":
  }
  return { level: "debug", server, message: "connected" };
}

function toProblemText({ kind, name, type, problem }: ListingEvent): string {
  return `${kind} ${JSON.stringify(name)} ${type}: ${problem}`;
}
