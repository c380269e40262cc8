import { toRecord } from "../json/json-node.js";
import type { JsonValue } from "../json/json-value.js";
import { toPathText } from "../json/path-text.js";
import { questions } from "../masking/masking.js";
import { toUnresolvedText, toWholeText } from "../masking/unresolved-text.js";
import { isSecretName } from "../masking/secrets.js";
import { toPlainText } from "../masking/plain-text.js";
import { nowhere } from "../problem.js";
import { narrowGuard, narrowPaths, type Note } from "./narrow-safety.js";
import { emptyPosternConfig } from "./parse-postern-config.js";
import type {
  BundledToolsSettings,
  DeclaredAccess,
  Domain,
  DomainServer,
  GeneralSettings,
  PosternConfig,
} from "./postern-config.js";

/** One thing a project file asks for beyond the owner's own settings. Its texts are safe to print. */
export interface Widening {
  /** The setting, for instance `general.access_level`. */
  readonly path: string;
  /** What holds without the project file. */
  readonly from: string;
  /** What the project file asks for. */
  readonly to: string;
}

/** What of a project file counts, and what does not. */
export interface NarrowedConfig {
  /**
   * Complete: `general` holds the owner's settings with the project's restrictions, and so replaces the owner's;
   * `domains` holds the owner's and the project's.
   */
  readonly config: PosternConfig;
  /** What the file would widen if the owner trusted it, in the order of the file's parts. */
  readonly widened: readonly Widening[];
}

/**
 * Takes from a project file what may count before the owner trusts it: it can only narrow.
 *
 * Its servers become `untrusted` members without a transport: nothing is started, contacted or resolved. References to
 * the owner's servers stay. An access level, tool access and bundled tools count where they are stricter than the
 * owner's, as do `guard` and `paths` but for the root; `models` do not count. A domain of the owner's is never changed.
 *
 * @param project - The project's file, read.
 * @param owner - The owner's settings; undefined = none, which is `full` access and all bundled tools.
 */
export function narrowUntrusted(
  project: PosternConfig,
  owner: PosternConfig | undefined,
): NarrowedConfig {
  const widened: Widening[] = [];
  const settings = owner ?? emptyPosternConfig;
  const note: Note = (path, from, to) => void widened.push(Object.freeze({ path, from, to }));
  const { models } = settings;
  const general = narrowGeneral(project.general, settings.general, note);
  const domains = narrowDomains(project, settings, note);
  for (const [key, value] of Object.entries(project.models ?? {}))
    note(toPathText(["models", key]), toValueText(models?.[key], key), toValueText(value, key));
  const plain: Note = (path, from, to) => note(path, toPlainText(from), toPlainText(to));
  const guard = narrowGuard(project.guard, settings.guard, plain);
  const paths = narrowPaths(project.paths, settings.paths, plain);
  const config: PosternConfig = Object.freeze({
    general,
    domains,
    ...(models === undefined ? {} : { models }),
    ...(guard === undefined ? {} : { guard }),
    ...(paths === undefined ? {} : { paths }),
  });
  return Object.freeze({ config, widened: Object.freeze(widened) });
}

function narrowGeneral(
  project: GeneralSettings,
  owner: GeneralSettings,
  note: Note,
): GeneralSettings {
  const level = owner.accessLevel ?? "full";
  if (project.accessLevel === "full" && level === "read_only")
    note("general.access_level", level, project.accessLevel);
  const accessLevel = project.accessLevel === "read_only" ? project.accessLevel : owner.accessLevel;
  return Object.freeze({
    ...(accessLevel === undefined ? {} : { accessLevel }),
    bundledTools: narrowBundled(project.bundledTools, owner.bundledTools, note),
    toolAccess: narrowToolAccess(project.toolAccess, owner.toolAccess, note),
  });
}

function narrowBundled(
  project: BundledToolsSettings,
  owner: BundledToolsSettings,
  note: Note,
): BundledToolsSettings {
  const path = "general.bundled_tools";
  if (owner.enabled === false && project.enabled === true) note(`${path}.enabled`, "false", "true");
  const excludeTags = toUnion(owner.excludeTags, project.excludeTags);
  const includeTags =
    owner.includeTags === undefined
      ? project.includeTags
      : narrowTags(owner.includeTags, project.includeTags, note);
  // Nothing of what the owner offers was chosen: that is none of the tools, not all of them.
  const none = includeTags?.length === 0;
  const enabled =
    none || project.enabled === false || owner.enabled === false ? false : owner.enabled;
  return Object.freeze({
    ...(enabled === undefined ? {} : { enabled }),
    ...(includeTags === undefined
      ? {}
      : { includeTags: none ? (owner.includeTags ?? []) : includeTags }),
    ...(excludeTags.length === 0 ? {} : { excludeTags }),
  });
}

function narrowTags(
  owner: readonly string[],
  project: readonly string[] | undefined,
  note: Note,
): readonly string[] {
  if (project === undefined) return owner;
  const more = project.filter((tag) => !owner.includes(tag));
  if (more.length > 0) note("general.bundled_tools.include_tags", toList(owner), toList(project));
  return Object.freeze(project.filter((tag) => owner.includes(tag)));
}

function toUnion(
  left: readonly string[] | undefined,
  right: readonly string[] | undefined,
): readonly string[] {
  return Object.freeze([...new Set([...(left ?? []), ...(right ?? [])])]);
}

function toList(tags: readonly string[]): string {
  return toPlainText(JSON.stringify(tags));
}

function narrowToolAccess(
  project: GeneralSettings["toolAccess"],
  owner: GeneralSettings["toolAccess"],
  note: Note,
): GeneralSettings["toolAccess"] {
  const merged = new Map(Object.entries(owner));
  for (const [tool, said] of Object.entries(project)) {
    const before = merged.get(tool) ?? {};
    const path = ["general", "tool_access", tool];
    if (said.readOnly === true && before.readOnly !== true)
      note(toPathText([...path, "read_only"]), toSaid(before.readOnly), "true");
    if (said.destructive === false && before.destructive !== false)
      note(toPathText([...path, "destructive"]), toSaid(before.destructive), "false");
    const restricted: DeclaredAccess = Object.freeze({
      ...before,
      ...(said.readOnly === false ? { readOnly: false } : {}),
      ...(said.destructive === true ? { destructive: true } : {}),
    });
    if (Object.keys(restricted).length > 0) merged.set(tool, restricted);
  }
  return toRecord(merged);
}

function toSaid(value: boolean | undefined): string {
  return value === undefined ? "what the server says" : String(value);
}

function narrowDomains(
  project: PosternConfig,
  owner: PosternConfig,
  note: Note,
): PosternConfig["domains"] {
  const domains = new Map(Object.entries(owner.domains));
  for (const [name, domain] of Object.entries(project.domains)) {
    const path = ["domains", name];
    if (Object.hasOwn(owner.domains, name)) {
      note(toPathText(path), "your own domain of that name", "the project's");
      // Trusted, the project's would take its place: what it starts is shown all the same.
      narrowDomain(domain, path, note);
    } else domains.set(name, narrowDomain(domain, path, note));
  }
  return toRecord(domains);
}

function narrowDomain(domain: Domain, path: readonly string[], note: Note): Domain {
  const servers = new Map<string, DomainServer>();
  for (const [name, server] of Object.entries(domain.servers)) {
    const at = toPathText([...path, "mcp_servers", name]);
    if (server.kind === "declared") {
      const text = toUnresolvedText(server.entry);
      if (!server.entry.disabled) note(at, "not started", toWholeText(server.entry));
      servers.set(
        name,
        Object.freeze({ kind: "untrusted", name, text, at: server.entry.at ?? nowhere }),
      );
    } else if (server.kind === "use" && server.use !== name) {
      // Under another name the tools would slip from under what the owner says about them by name.
      note(at, `your server ${server.use} under its own name`, `the name ${name}`);
      const own = domain.servers[server.use];
      if (own === undefined && !servers.has(server.use))
        servers.set(server.use, Object.freeze({ ...server, name: server.use }));
    } else servers.set(name, server);
  }
  return Object.freeze({ ...domain, servers: toRecord(servers) });
}

/** Shows a value whole, since what is not shown cannot be approved; only secrets are masked. */
function toValueText(value: JsonValue | undefined, key: string): string {
  if (value === undefined) return "not set";
  return toPlainText(JSON.stringify(toMasked(value, key)));
}

function toMasked(value: JsonValue, key: string): JsonValue {
  if (typeof value === "string")
    return isSecretName(key) ? questions.secret(value) : questions.value(value);
  if (Array.isArray(value)) return value.map((item: JsonValue) => toMasked(item, key));
  if (typeof value !== "object" || value === null) return value;
  return toRecord(
    Object.entries(value).map(([name, item]) => [name, toMasked(item, name)] as const),
  );
}
