import type { BundledToolsSettings, DomainServer, Problem, ServerEntry } from "@postern/config";
import { checkServerNames, toPlainText } from "@postern/config";
import { allOf, byAccess, byServer, byTags, type AccessLevel } from "@postern/policy";
import type { ToolRule } from "@postern/tool";
import { toLine, type Configuration } from "./configuration.js";
import { hostErrors } from "./errors.js";
import type { HostOptions } from "./host-options.js";

/** The owner's name for our own tools server. */
export const bundledName = "bundled";

/** What is to be connected, and under which rule. Decided from data alone: nothing has been started. */
export interface HostPlan {
  /** The access level in force. */
  readonly level: AccessLevel;
  /** Everything that hides and refuses. */
  readonly rule: ToolRule;
  /** Servers to connect, by the owner's name; references unresolved. */
  readonly servers: ReadonlyMap<string, ServerEntry>;
  /** Whether our own tools server comes along. */
  readonly bundled: boolean;
  /** Servers that a file names and that stay out, with the reason. */
  readonly unmounted: ReadonlyMap<string, string>;
  /** What the files say that does not count. */
  readonly problems: readonly Problem[];
}

/** What names a server in a file. */
type NamedEntry = Pick<ServerEntry, "name" | "at">;

interface Selection {
  readonly servers: Map<string, ServerEntry>;
  readonly rules: Map<string, ToolRule>;
  readonly unmounted: Map<string, string>;
  readonly problems: Problem[];
}

/**
 * Decides what a host connects and permits.
 *
 * @param configuration - What the files say.
 * @param options - What the owner says now.
 * @returns The plan.
 * @throws {PosternError} `UNKNOWN_DOMAIN`; `UNKNOWN_ACCESS_LEVEL` for a level that is none.
 */
export function planHost(configuration: Configuration, options: HostOptions): HostPlan {
  const { config, warnings } = configuration;
  const { bundledTools, toolAccess, accessLevel } = config.general;
  const level = options.level ?? accessLevel ?? "full";
  const bundled = bundledTools.enabled ?? true;
  const selection = select(configuration, options.domain);
  dropClashing(selection, bundled);
  if (bundled) selection.rules.set(bundledName, byTags(toFilter(bundledTools)));
  const rule = allOf(
    byServer(Object.fromEntries(selection.rules)),
    byTags(toFilter(options)),
    byAccess(level, toolAccess),
  );
  const wanted = (name: string, prefix: string): boolean =>
    (options.onlyServers === undefined || options.onlyServers.includes(name)) &&
    (options.onlyFor === undefined || options.onlyFor.startsWith(prefix));
  const servers = [...selection.servers].filter(([name, entry]) =>
    wanted(name, entry.prefix ?? `${name}_`),
  );
  return {
    level,
    rule,
    servers: new Map(servers),
    bundled: bundled && wanted(bundledName, `${bundledName}_`),
    unmounted: selection.unmounted,
    problems: [...warnings, ...selection.problems],
  };
}

/** Without a domain all servers of the owner; with one, exactly those that it names. */
function select({ config, mcp }: Configuration, domain: string | undefined): Selection {
  const selection: Selection = {
    servers: new Map(),
    rules: new Map(),
    unmounted: new Map(),
    problems: [],
  };
  for (const { name, problems } of mcp.broken) leaveOut(selection, toPlainText(name), problems);
  if (domain === undefined) {
    for (const [name, entry] of Object.entries(mcp.servers)) mount(selection, name, entry);
    return selection;
  }
  if (!Object.hasOwn(config.domains, domain))
    throw hostErrors.UNKNOWN_DOMAIN({ domain, known: Object.keys(config.domains) });
  for (const server of Object.values(config.domains[domain]?.servers ?? {}))
    selectFromDomain(selection, server, mcp.servers);
  return selection;
}

function selectFromDomain(
  selection: Selection,
  server: DomainServer,
  owners: Readonly<Record<string, ServerEntry>>,
): void {
  const { name } = server;
  switch (server.kind) {
    case "untrusted":
      selection.unmounted.set(
        name,
        "It is declared in a project file that is not trusted. Run `postern trust` to see what it would start.",
      );
      return;
    case "declared":
      if (Object.hasOwn(owners, name))
        leaveOut(selection, name, [
          toProblem(server.entry, "NAME_TAKEN", "mcp.json has one of that name too; rename one"),
        ]);
      else mount(selection, name, server.entry);
      return;
    case "use": {
      const entry = Object.hasOwn(owners, server.use) ? owners[server.use] : undefined;
      if (entry === undefined) {
        const message = `mcp.json has no server named ${JSON.stringify(toPlainText(server.use))}`;
        leaveOut(selection, name, [toProblem(server, "UNKNOWN_SERVER", message)]);
      } else {
        mount(selection, name, { ...entry, name });
        narrow(selection, name, byTags(toFilter(server)));
      }
    }
  }
}

function mount(selection: Selection, name: string, entry: ServerEntry): void {
  selection.servers.set(name, entry);
  narrow(selection, name, byTags(toFilter(entry)));
}

function narrow(selection: Selection, name: string, rule: ToolRule): void {
  const before = selection.rules.get(name);
  selection.rules.set(name, before === undefined ? rule : allOf(before, rule));
}

function leaveOut(selection: Selection, name: string, problems: readonly Problem[]): void {
  selection.servers.delete(name);
  selection.problems.push(...problems);
  selection.unmounted.set(name, problems.map(toLine).join(" "));
}

/** A server that would take another's names stays out, and so does that other: adding a server renames nothing. */
function dropClashing(selection: Selection, bundled: boolean): void {
  const taken = selection.servers.get(bundledName);
  if (bundled && taken !== undefined)
    leaveOut(selection, bundledName, [
      toProblem(taken, "NAME_TAKEN", "it is the name of the bundled tools server; rename it"),
    ]);
  const named = [...selection.servers.values()].map(({ name, prefix, disabled, at }) => ({
    name,
    disabled,
    ...(prefix === undefined ? {} : { prefix }),
    ...(at === undefined ? {} : { at }),
  }));
  const problems = checkServerNames(bundled ? [...named, { name: bundledName }] : named);
  for (const problem of problems)
    if (
      problem.severity === "error" &&
      problem.server !== undefined &&
      problem.server !== bundledName
    )
      leaveOut(selection, problem.server, [problem]);
}

function toProblem(
  { name, at = { file: "", line: 0, column: 0, path: name } }: NamedEntry,
  code: string,
  because: string,
): Problem {
  const message = `The server ${JSON.stringify(name)} is left out: ${because}.`;
  return { ...at, code, severity: "error", server: name, message };
}

/** An option object's own tags only: an absent list is no filter. */
function toFilter(tags: BundledToolsSettings): Parameters<typeof byTags>[0] {
  return {
    ...(tags.includeTags === undefined ? {} : { include: tags.includeTags }),
    ...(tags.excludeTags === undefined ? {} : { exclude: tags.excludeTags }),
  };
}
