import {
  findMember,
  toRecord,
  type JsonArrayNode,
  type JsonNode,
  type JsonObjectNode,
} from "../json/json-node.js";
import { readText } from "../json/parse-tree.js";
import type { Parsed, Problem } from "../problem.js";
import type { Report } from "../report.js";
import { checkKey, readShape } from "../schema/read-shape.js";
import type { ObjectShape } from "../schema/shape.js";
import { checkServerNames } from "./check-server-names.js";
import { readServer } from "./parse-server.js";
import type { BrokenServer, McpConfig, ServerEntry } from "./server-entry.js";
import { mcpShape, namedServerShape, sharedServersShape } from "./server-shape.js";

/**
 * Reads an `mcp.json`: `{ "mcpServers": { NAME: … } }`, or Chimera's array `[{ "name": NAME, … }]`.
 *
 * Comments and commas before a closing bracket are allowed, as editors write them. Keys of other hosts are warned about
 * once and never count. An entry with a problem is left out with the reasons in `broken`, and the others are kept; of
 * two names that clash both are left out. Only a file that is no JSON, or has a key twice, is refused as a whole.
 *
 * @param text - The file's content.
 * @param file - Its name for the problems.
 * @returns The servers, or the problems; never throws.
 */
export function parseMcpConfig(text: string, file: string): Parsed<McpConfig> {
  const { root, report } = readText(text, file, { comments: true });
  if (root === undefined || report.errors().length > 0) return refuse(report);
  const config = readMcpTree(root, report);
  return config === undefined
    ? refuse(report)
    : Object.freeze({ ok: true, value: config, warnings: report.warnings() });
}

/** Reads the servers of a document's tree; undefined where it is neither of the two forms. */
function readMcpTree(root: JsonNode, report: Report): McpConfig | undefined {
  const list: ServerList = { entries: [], broken: [] };
  if (root.kind === "array") readArrayForm(root, report, list);
  else if (root.kind === "object") readObjectForm(root, report, list);
  else report.error(wrongRoot(root));
  if (report.errors().length > 0) return undefined;
  return toConfig(list, root.kind === "array" ? "array" : "object");
}

interface ServerList {
  readonly entries: ServerEntry[];
  readonly broken: BrokenServer[];
}

function refuse(report: Report): Parsed<McpConfig> {
  return Object.freeze({ ok: false, problems: report.errors() });
}

function wrongRoot({ offset }: JsonNode): {
  code: string;
  message: string;
  offset: number;
  path: [];
} {
  const message = 'Expected an object { "mcpServers": { … } }.';
  return { code: "WRONG_TYPE", message, offset, path: [] };
}

/** Servers are read one by one, so that a fault in one keeps the others. */
const outerShape = {
  ...mcpShape,
  fields: { ...mcpShape.fields, mcpServers: { kind: "any-object" } },
} as const satisfies ObjectShape;

function readObjectForm(root: JsonObjectNode, report: Report, list: ServerList): void {
  readShape(outerShape, { node: root, path: [], report });
  const servers = findMember(root, "mcpServers")?.value;
  if (servers?.kind !== "object") return;
  const path = ["mcpServers"];
  for (const member of servers.members) {
    const part = report.part();
    const reading = { node: member.value, path: [...path, member.key], report: part };
    const named = checkKey(sharedServersShape, { member, path: reading.path, report: part });
    const server = { ...reading, name: member.key, nameOffset: member.keyOffset };
    const entry = named ? readServer(server, true) : undefined;
    add(list, entry ?? { name: member.key, problems: part.errors() });
  }
}

function readArrayForm(root: JsonArrayNode, report: Report, list: ServerList): void {
  for (const [index, node] of root.items.entries()) {
    const part = report.part();
    const reading = { node, path: [index], report: part };
    const nameShape = {
      ...namedServerShape,
      fields: { name: namedServerShape.fields.name },
      unknown: "ignore",
    } as const;
    const name = readShape(nameShape, reading)?.name;
    const entry =
      name === undefined
        ? undefined
        : readServer({ ...reading, node: withoutName(node), name, nameOffset: node.offset }, true);
    add(list, entry ?? { name: name ?? `[${index}]`, problems: part.errors() });
  }
}

/** The array form's `name` is read already, and is no key of a server. */
function withoutName(node: JsonNode): JsonNode {
  if (node.kind !== "object") return node;
  return { ...node, members: node.members.filter(({ key }) => key !== "name") };
}

function add({ entries, broken }: ServerList, server: ServerEntry | BrokenServer): void {
  if ("problems" in server)
    broken.push(Object.freeze({ ...server, problems: toServerProblems(server) }));
  else entries.push(server);
}

function toServerProblems({ name, problems }: BrokenServer): readonly Problem[] {
  return Object.freeze(problems.map((problem) => Object.freeze({ ...problem, server: name })));
}

function toConfig({ entries, broken }: ServerList, kind: "array" | "object"): McpConfig {
  const clashes = checkServerNames(entries);
  const clashing = clashes.map((problem) => ({ name: problem.server ?? "", problems: [problem] }));
  const refused = new Set(clashes.map(({ server }) => server));
  const left = entries.filter(({ name }) => !refused.has(name));
  return Object.freeze({
    servers: toRecord(left.map((entry) => [entry.name, entry] as const)),
    broken: Object.freeze([...broken, ...clashing]),
    form: kind,
  });
}
