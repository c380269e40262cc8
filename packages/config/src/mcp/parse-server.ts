import { findMember, findNode, toRecord, type JsonNode } from "../json/json-node.js";
import type { JsonPath } from "../json/json-value.js";
import { toQuoted } from "../masking/plain-text.js";
import { checkTransport } from "../references/check-references.js";
import { findForeignReference } from "../references/env-reference.js";
import { readShape, type Reading, type ValueOf } from "../schema/read-shape.js";
import type { HttpTransport, ServerEntry, StdioTransport } from "./server-entry.js";
import { sharedServerShape, strictServerShape } from "./server-shape.js";

type WireServer = ValueOf<typeof strictServerShape>;

/** An entry's value, its name, and where its name stands. */
export interface ServerReading extends Reading {
  readonly name: string;
  readonly nameOffset: number;
}

/**
 * Reads one server entry.
 *
 * @param reading - The entry; its report is its own, so that its errors are told apart from those of others.
 * @param shared - Whether the file is shared with other hosts, whose keys are kept.
 * @returns The entry, or undefined with the errors in the report.
 */
export function readServer(reading: ServerReading, shared: boolean): ServerEntry | undefined {
  const { name, nameOffset, path, report } = reading;
  const before = report.errors().length;
  const wire = readShape(shared ? sharedServerShape : strictServerShape, reading);
  if (wire === undefined || report.errors().length > before) return undefined;
  const transport = readTransport(wire, reading);
  const disabled = readDisabled(wire, reading);
  if (transport === undefined || disabled === undefined) return undefined;
  reportFaults(transport, reading);
  if (report.errors().length > before) return undefined;
  return Object.freeze({
    name,
    transport,
    protocol: wire.protocol ?? (transport.kind === "stdio" ? "legacy" : "auto"),
    ...toLimits(wire),
    ...toTagFilter(wire),
    ...(wire.prefix === undefined ? {} : { prefix: wire.prefix }),
    disabled,
    at: report.placeOf(nameOffset, path),
  });
}

/** Reads the tags of an entry or reference. */
export function toTagFilter(wire: {
  readonly include_tags: readonly string[] | undefined;
  readonly exclude_tags: readonly string[] | undefined;
}): { readonly includeTags?: readonly string[]; readonly excludeTags?: readonly string[] } {
  return {
    ...(wire.include_tags === undefined ? {} : { includeTags: wire.include_tags }),
    ...(wire.exclude_tags === undefined ? {} : { excludeTags: wire.exclude_tags }),
  };
}

function toLimits(wire: WireServer): Partial<ServerEntry> {
  return {
    ...(wire.connect_timeout === undefined ? {} : { connectTimeoutMs: toMs(wire.connect_timeout) }),
    ...(wire.catalog_timeout === undefined ? {} : { catalogTimeoutMs: toMs(wire.catalog_timeout) }),
    ...(wire.call_timeout === undefined ? {} : { callTimeoutMs: toMs(wire.call_timeout) }),
  };
}

/** A tenth of a millisecond is a limit, and 0 is none: the one may not become the other. */
function toMs(seconds: number): number {
  return seconds === 0 ? 0 : Math.max(1, Math.round(seconds * 1000));
}

function fault(
  reading: Reading,
  key: string | undefined,
  finding: { code: string; message: string },
): undefined {
  const member = key === undefined ? undefined : findMember(reading.node, key);
  const path = key === undefined ? reading.path : [...reading.path, key];
  reading.report.error({ ...finding, offset: member?.value.offset ?? reading.node.offset, path });
}

function readTransport(
  wire: WireServer,
  reading: ServerReading,
): StdioTransport | HttpTransport | undefined {
  // Chimera writes `"command": ""` beside a URL.
  const command = wire.command === "" ? undefined : wire.command;
  const url = wire.url === "" ? undefined : wire.url;
  if ((command === undefined) === (url === undefined)) {
    const found = command === undefined ? "Neither is there." : "Both are there.";
    const message = `A server has exactly one of "command" (a program to start) and "url" (an address). ${found}`;
    return fault(reading, undefined, { code: "COMMAND_OR_URL", message });
  }
  const kind = command === undefined ? "http" : "stdio";
  if (wire.type !== undefined && (wire.type === "stdio") !== (kind === "stdio")) {
    const key = kind === "stdio" ? "command" : "url";
    const message = `"type" is ${toQuoted(wire.type)}, but the server has a "${key}". Take one of them out.`;
    return fault(reading, "type", { code: "COMMAND_OR_URL", message });
  }
  warnOfIdleKeys(kind, reading);
  return command === undefined ? toHttp(wire, url ?? "", reading) : toStdio(wire, command);
}

function toStdio(wire: WireServer, command: string): StdioTransport {
  const { args = Object.freeze([]), env = toRecord([]), cwd } = wire;
  return Object.freeze({
    kind: "stdio",
    command,
    args,
    env,
    ...(cwd === undefined ? {} : { cwd }),
  });
}

function toHttp(wire: WireServer, url: string, reading: ServerReading): HttpTransport | undefined {
  const { headers = toRecord([]), token_env: tokenEnv } = wire;
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const repeated = findRepeated(names);
  if (repeated !== undefined)
    return fault(reading, "headers", {
      code: "DUPLICATE_HEADER",
      message: `The header ${toQuoted(repeated)} is written twice: letter case makes no difference. Keep one.`,
    });
  if (tokenEnv !== undefined && names.includes("authorization"))
    return fault(reading, "token_env", {
      code: "DUPLICATE_HEADER",
      message:
        '"token_env" sets the header "authorization", which "headers" sets too. Keep one of them.',
    });
  return Object.freeze({
    kind: "http",
    url,
    headers,
    ...(tokenEnv === undefined ? {} : { tokenEnv }),
  });
}

function findRepeated(names: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return names.find((name) => seen.size === seen.add(name).size);
}

const idleKeys = {
  stdio: ["headers", "token_env"],
  http: ["args", "env", "cwd"],
} as const;

function warnOfIdleKeys(kind: "stdio" | "http", { node, path, report }: ServerReading): void {
  for (const key of idleKeys[kind]) {
    const member = findMember(node, key);
    if (member === undefined || isEmpty(member.value)) continue;
    const other = kind === "stdio" ? "url" : "command";
    const message = `"${key}" belongs to a server with a "${other}": here it has no effect.`;
    report.warning({
      code: "KEY_WITHOUT_EFFECT",
      message,
      offset: member.keyOffset,
      path: [...path, key],
    });
  }
}

function isEmpty(node: JsonNode): boolean {
  if (node.kind === "array") return node.items.length === 0;
  return node.kind === "object" && node.members.length === 0;
}

function readDisabled(wire: WireServer, reading: ServerReading): boolean | undefined {
  if (wire.disabled === undefined || wire.disabled !== wire.enabled)
    return wire.disabled === true || wire.enabled === false;
  const message = `"enabled" and "disabled" say opposite things. Keep one of them.`;
  return fault(reading, "disabled", { code: "CONTRADICTION", message });
}

function reportFaults(transport: ServerEntry["transport"], reading: ServerReading): void {
  const { node, report } = reading;
  const placeOf = (path: JsonPath): { offset: number; path: JsonPath } => ({
    offset: findNode(node, path)?.offset ?? node.offset,
    path: [...reading.path, ...path],
  });
  for (const { code, message, path } of checkTransport(transport)) {
    if (report.isFull("error")) return;
    report.error({ code, message, ...placeOf(path) });
  }
  for (const [path, value] of toSentValues(transport)) {
    const reference = findForeignReference(value);
    if (reference === undefined || report.isFull("warning")) continue;
    const message = `${toQuoted(reference)} is not replaced here: it is used as it is written. Write {env:NAME} for the value of an environment variable.`;
    report.warning({ code: "FOREIGN_REFERENCE", message, ...placeOf(path) });
  }
}

/** What is sent as written, where another host's reference would be no more than odd text. */
function toSentValues(
  transport: ServerEntry["transport"],
): readonly (readonly [JsonPath, string])[] {
  const [key, named] =
    transport.kind === "stdio"
      ? (["env", transport.env] as const)
      : (["headers", transport.headers] as const);
  const values = Object.entries(named).map(([name, value]) => [[key, name], value] as const);
  return transport.kind === "stdio" ? values : [...values, [["url"], transport.url] as const];
}
