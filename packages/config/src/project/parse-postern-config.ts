import { findMember, toRecord, type JsonMember, type JsonNode } from "../json/json-node.js";
import { readText } from "../json/parse-tree.js";
import { checkServerNames } from "../mcp/check-server-names.js";
import { readServer, toTagFilter } from "../mcp/parse-server.js";
import type { Parsed } from "../problem.js";
import type { Report } from "../report.js";
import { checkKey, readShape, type Reading, type ValueOf } from "../schema/read-shape.js";
import type { ObjectShape } from "../schema/shape.js";
import type {
  DeclaredAccess,
  Domain,
  DomainServer,
  GeneralSettings,
  GuardRule,
  GuardSettings,
  PathSettings,
  PosternConfig,
} from "./postern-config.js";
import {
  domainServersShape,
  domainShape,
  domainsShape,
  posternShape,
  referenceShape,
} from "./postern-shape.js";

type WireConfig = ValueOf<typeof outerShape>;
type WireRule = NonNullable<NonNullable<WireConfig["guard"]>["rules"]>[number];

/** Domains and their servers are read one by one, for their places and their further rules. */
const outerShape = {
  ...posternShape,
  fields: { ...posternShape.fields, domains: { kind: "any-object" } },
} as const satisfies ObjectShape;

const outerDomainShape = {
  ...domainShape,
  fields: { ...domainShape.fields, mcp_servers: { kind: "any-object" } },
} as const satisfies ObjectShape;

/** What a missing file means: nothing is said. */
export const emptyPosternConfig: PosternConfig = Object.freeze({
  general: Object.freeze({ bundledTools: Object.freeze({}), toolAccess: toRecord<never>([]) }),
  domains: toRecord<never>([]),
});

/**
 * Reads a `postern.json`, or the owner's `settings.json`, which has the same shape.
 *
 * It is plain JSON without comments. Whatever is not known or not of the right type refuses the whole file, so that no
 * restriction is lost by a slip of the pen.
 *
 * @param text - The file's content.
 * @param file - Its name for the problems.
 * @returns The settings, or every problem with its place; never throws.
 */
export function parsePosternConfig(text: string, file: string): Parsed<PosternConfig> {
  const { root, report } = readText(text, file);
  const config = root === undefined ? undefined : readConfig(root, report);
  if (config === undefined || report.errors().length > 0)
    return Object.freeze({ ok: false, problems: report.errors() });
  return Object.freeze({ ok: true, value: config, warnings: report.warnings() });
}

function readConfig(root: JsonNode, report: Report): PosternConfig | undefined {
  const wire = readShape(outerShape, { node: root, path: [], report });
  if (wire === undefined) return undefined;
  const { models, guard, paths } = wire;
  return Object.freeze({
    general: toGeneral(wire.general),
    domains: readDomains(root, report),
    ...(models === undefined ? {} : { models }),
    ...(guard === undefined ? {} : { guard: toGuard(guard) }),
    ...(paths === undefined ? {} : { paths: toPaths(paths) }),
  });
}

function toGuard({
  mode,
  approvals,
  taint,
  rules,
}: NonNullable<WireConfig["guard"]>): GuardSettings {
  return Object.freeze({
    ...(mode === undefined ? {} : { mode }),
    ...(approvals === undefined ? {} : { approvals }),
    ...(taint === undefined ? {} : { taint }),
    ...(rules === undefined ? {} : { rules: Object.freeze(rules.map(toRule)) }),
  });
}

/** The shape has made sure of what is required, or the whole file is refused. */
function toRule({
  name = "",
  decision = "block",
  pattern = "",
  tools,
  reason,
}: WireRule): GuardRule {
  return Object.freeze({
    name,
    decision,
    pattern,
    ...(tools === undefined ? {} : { tools }),
    ...(reason === undefined ? {} : { reason }),
  });
}

function toPaths({
  root,
  consent,
  sensitive,
  checkpaths,
}: NonNullable<WireConfig["paths"]>): PathSettings {
  return Object.freeze({
    ...(root === undefined ? {} : { root }),
    ...(consent === undefined ? {} : { consent }),
    ...(sensitive === undefined ? {} : { sensitive }),
    ...(checkpaths === undefined ? {} : { checkpaths: toRecord(Object.entries(checkpaths)) }),
  });
}

function toGeneral(wire: WireConfig["general"]): GeneralSettings {
  const { access_level: accessLevel, bundled_tools: bundled, tool_access: access } = wire ?? {};
  const enabled = bundled?.enabled;
  return Object.freeze({
    ...(accessLevel === undefined ? {} : { accessLevel }),
    bundledTools: Object.freeze({
      ...(enabled === undefined ? {} : { enabled }),
      ...(bundled === undefined ? {} : toTagFilter(bundled)),
    }),
    toolAccess: toRecord(
      Object.entries(access ?? {}).map(([name, said]) => [name, toDeclared(said)] as const),
    ),
  });
}

function toDeclared(wire: {
  readonly read_only: boolean | undefined;
  readonly destructive: boolean | undefined;
}): DeclaredAccess {
  const { read_only: readOnly, destructive } = wire;
  return Object.freeze({
    ...(readOnly === undefined ? {} : { readOnly }),
    ...(destructive === undefined ? {} : { destructive }),
  });
}

function readDomains(root: JsonNode, report: Report): PosternConfig["domains"] {
  const domains = findMember(root, "domains")?.value;
  if (domains?.kind !== "object") return emptyPosternConfig.domains;
  return toRecord(
    domains.members.map((member) => {
      const path = ["domains", member.key];
      checkKey(domainsShape, { member, path, report });
      return [member.key, readDomain({ node: member.value, path, report })] as const;
    }),
  );
}

function readDomain({ node, path, report }: Reading): Domain {
  const description = readShape(outerDomainShape, { node, path, report })?.description;
  const servers = findMember(node, "mcp_servers")?.value;
  const members = servers?.kind === "object" ? servers.members : [];
  const entries = members
    .map((member) =>
      readDomainServer(member, {
        node: member.value,
        path: [...path, "mcp_servers", member.key],
        report,
      }),
    )
    .filter((server) => server !== undefined);
  const named = entries.map((server) => (server.kind === "declared" ? server.entry : server));
  for (const problem of checkServerNames(named)) report.add(problem);
  return Object.freeze({
    ...(description === undefined ? {} : { description }),
    servers: toRecord(entries.map((server) => [server.name, server] as const)),
  });
}

function readDomainServer(
  member: JsonMember,
  reading: Reading,
): Exclude<DomainServer, { kind: "untrusted" }> | undefined {
  const { node, path, report } = reading;
  const { key: name, keyOffset: nameOffset } = member;
  if (!checkKey(domainServersShape, { member, path, report })) return undefined;
  if (findMember(node, domainServersShape.of.key) === undefined) {
    const entry = readServer({ ...reading, name, nameOffset }, false);
    return entry && Object.freeze({ kind: "declared", name, entry });
  }
  const reference = readShape(referenceShape, reading);
  if (reference?.use === undefined) return undefined;
  return Object.freeze({
    kind: "use",
    name,
    use: reference.use,
    ...toTagFilter(reference),
    at: report.placeOf(nameOffset, path),
  });
}
