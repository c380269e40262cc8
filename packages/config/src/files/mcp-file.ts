import { join } from "node:path";
import { ensurePrivateDirectory, updateFile } from "@postern/files";
import { configErrors } from "../errors.js";
import { findNearest } from "../find-nearest.js";
import { editText, findEdits, type JsonEdit } from "../json/edit-text.js";
import { findMember, toJsonValue, toRecord, type JsonNode } from "../json/json-node.js";
import type { JsonObject, JsonPath, JsonValue } from "../json/json-value.js";
import { readText } from "../json/parse-tree.js";
import { toPlainText } from "../masking/plain-text.js";
import { parseMcpConfig } from "../mcp/parse-mcp-config.js";
import type { McpConfig } from "../mcp/server-entry.js";
import type { Parsed, Problem } from "../problem.js";
import { readConfigFile, readOwnerFile } from "./read-config-file.js";

/** A server to be written. */
export interface ServerToWrite {
  /** Matches `serverNamePattern`, and clashes with no other. */
  readonly name: string;
  /** The entry with the file's own keys: `command`, `args`, `token_env`, seconds in `call_timeout`. */
  readonly server: JsonObject;
  /** Takes the place of a server of that name, with all of its keys; default false. */
  readonly replace?: boolean;
}

/**
 * Reads `mcp.json` of a home folder.
 *
 * @param home - POSTERN_HOME.
 * @returns The servers; none where the file is missing. What is wrong with the file is in the problems, never thrown.
 */
export async function readMcpFile(home: string): Promise<Parsed<McpConfig>> {
  const file = toMcpPath(home);
  const read = await readOwnerFile(file);
  if (read.kind === "unreadable") return Object.freeze({ ok: false, problems: [read.problem] });
  return parseMcpConfig(read.kind === "missing" ? emptyFile : read.text, file);
}

/**
 * Adds a server to `mcp.json`, or replaces one. Everything else in the file stays, comments too.
 *
 * The file keeps the form it has (object or array); a new one is an object. Mode 0600, written atomically, under a lock.
 *
 * @throws {PosternError} `SERVER_EXISTS`, `SERVER_NAME_CLASH`, `INVALID_SERVER`; `FILE_BROKEN` where the file cannot be
 * parsed, which is then left as it is.
 */
export async function writeServer(
  home: string,
  { name, server, replace = false }: ServerToWrite,
): Promise<void> {
  const wanted = toPlainObject(server);
  await ensurePrivateDirectory(home);
  await updateMcpFile(
    home,
    (document) => {
      const [first, ...others] = findServers(document.root, name);
      if (first !== undefined && !replace)
        throw configErrors.SERVER_EXISTS({ name: toPlainText(name) });
      const form = document.root.kind;
      const value =
        form === "array" ? toRecord([["name", name], ...Object.entries(wanted)]) : wanted;
      const path = first?.path ?? toNewPath(document.root, name);
      const surplus = others.map((other): JsonEdit => ({ path: other.path, value: undefined }));
      return [...surplus.toReversed(), ...toParentEdits(document.root), { path, value }];
    },
    name,
  );
}

/**
 * Changes a server's entry. Keys that `change` leaves alone stay as they are written, with their comments.
 *
 * @param change - Gets the entry with the file's own keys, and gives the whole entry as it is to be; undefined = leave it.
 * @throws {PosternError} `SERVER_UNKNOWN`; `INVALID_SERVER` and `SERVER_NAME_CLASH` for a fault that was not there before;
 * `FILE_BROKEN`.
 */
export async function updateServer(
  home: string,
  name: string,
  change: (server: JsonObject) => JsonObject | undefined,
): Promise<void> {
  if (await isMissing(home)) throw configErrors.SERVER_UNKNOWN({ name: toPlainText(name) });
  await updateMcpFile(
    home,
    (document) => {
      const [server] = findServers(document.root, name);
      if (server === undefined) throw unknownServer(document.root, name);
      const isArray = document.root.kind === "array";
      const entries = Object.entries(toJsonValue(server.node) as JsonObject);
      const before = toRecord(entries.filter(([key]) => !isArray || key !== "name"));
      const changed = change(before);
      if (changed === undefined) return undefined;
      const after = toPlainObject(changed);
      const whole = isArray ? toRecord([["name", name], ...Object.entries(after)]) : after;
      return findEdits(server.node, whole, server.path);
    },
    name,
  );
}

/**
 * Takes a server out of `mcp.json`.
 *
 * @returns False where there was none.
 * @throws {PosternError} `FILE_BROKEN`.
 */
export async function deleteServer(home: string, name: string): Promise<boolean> {
  let found = false;
  if (await isMissing(home)) return found;
  await updateMcpFile(
    home,
    ({ root }) => {
      const servers = findServers(root, name);
      found = servers.length > 0;
      return servers.map(({ path }): JsonEdit => ({ path, value: undefined })).toReversed();
    },
    name,
  );
  return found;
}

const emptyFile = `{\n  "mcpServers": {}\n}\n`;

function toMcpPath(home: string): string {
  return join(home, "mcp.json");
}

async function isMissing(home: string): Promise<boolean> {
  return (await readConfigFile(toMcpPath(home))).kind === "missing";
}

interface McpDocument {
  readonly root: JsonNode;
}

async function updateMcpFile(
  home: string,
  toEdits: (document: McpDocument) => readonly JsonEdit[] | undefined,
  name: string,
): Promise<void> {
  const file = toMcpPath(home);
  await updateFile(
    file,
    (written) => {
      const text = written ?? emptyFile;
      const before = parseMcpConfig(text, file);
      const { root } = readText(text, file, { comments: true });
      // A file that cannot be read may hold anything: changing it could lose what it holds.
      if (!before.ok || root === undefined) throw broken(file, before);
      const edits = toEdits({ root });
      if (edits === undefined || edits.length === 0) return undefined;
      const changed = editText(text, edits);
      assertNoNewFault({ name, before: before.value, after: parseMcpConfig(changed, file) });
      return changed === written ? undefined : changed;
    },
    { mode: 0o600 },
  );
}

function broken(file: string, parsed: Parsed<McpConfig>): Error {
  const [problem] = parsed.ok ? [] : parsed.problems;
  const text =
    problem === undefined
      ? ""
      : `line ${problem.line}, column ${problem.column}: ${problem.message}`;
  return configErrors.FILE_BROKEN({ file, problem: text });
}

/** An entry that was at fault before may be changed, for instance disabled; it may not get worse. */
function assertNoNewFault(change: {
  name: string;
  before: McpConfig;
  after: Parsed<McpConfig>;
}): void {
  const { before, after } = change;
  const name = toPlainText(change.name);
  if (!after.ok)
    throw configErrors.INVALID_SERVER({
      name,
      problems: after.problems.map(({ message }) => message),
    });
  const known = new Set(toFaults(before, change.name).map(({ code }) => code));
  const faults = toFaults(after.value, change.name).filter(({ code }) => !known.has(code));
  const clash = faults.find(({ code }) => code === "SERVER_NAME_CLASH");
  if (clash !== undefined) throw configErrors.SERVER_NAME_CLASH({ name, problem: clash.message });
  if (faults.length > 0)
    throw configErrors.INVALID_SERVER({
      name,
      problems: faults.map(({ path, message }) => `${path}: ${message}`),
    });
}

function toFaults(config: McpConfig, name: string): readonly Problem[] {
  return config.broken.filter((server) => server.name === name).flatMap(({ problems }) => problems);
}

function findServers(root: JsonNode, name: string): readonly { path: JsonPath; node: JsonNode }[] {
  if (root.kind !== "array") {
    const servers = findMember(root, "mcpServers")?.value;
    const node = servers && findMember(servers, name)?.value;
    return node === undefined ? [] : [{ path: ["mcpServers", name], node }];
  }
  return root.items
    .map((node, index) => ({ path: [index], node }))
    .filter(({ node }) => toName(node) === name);
}

function toName(node: JsonNode): JsonValue | undefined {
  const name = findMember(node, "name")?.value;
  return name?.kind === "string" ? name.value : undefined;
}

function toNewPath(root: JsonNode, name: string): JsonPath {
  return root.kind === "array" ? [root.items.length] : ["mcpServers", name];
}

/** A document without servers gets the place for them first. */
function toParentEdits(root: JsonNode): readonly JsonEdit[] {
  if (root.kind !== "object" || findMember(root, "mcpServers") !== undefined) return [];
  return [{ path: ["mcpServers"], value: toRecord([]) }];
}

function unknownServer(root: JsonNode, name: string): Error {
  const servers = findMember(root, "mcpServers")?.value;
  const names =
    root.kind === "array"
      ? root.items.map(toName).filter((found) => typeof found === "string")
      : servers?.kind === "object"
        ? servers.members.map(({ key }) => key)
        : [];
  const nearest = findNearest(name, names);
  return configErrors.SERVER_UNKNOWN({
    name: toPlainText(name),
    ...(nearest === undefined ? {} : { nearest: toPlainText(nearest) }),
  });
}

/** Takes what JSON cannot hold out of an entry made by a program. */
function toPlainObject(server: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(server)) as JsonObject;
}
