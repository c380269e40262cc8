import { parseArgs } from "node:util";

/** What the program was asked to do. */
export type Flags = { readonly kind: "help" } | { readonly kind: "version" } | ServeFlags;

/** How to serve the tools. */
export interface ServeFlags {
  readonly kind: "serve";
  /** The folder of the file tools; undefined means the current one. */
  readonly root: string | undefined;
  readonly includeTags: readonly string[];
  readonly excludeTags: readonly string[];
  /** Undefined means stdio. */
  readonly http: HttpFlags | undefined;
  /** Whether whoever started it may allow paths outside the folder for a call. */
  readonly grants: boolean;
}

/** How to serve over HTTP. */
export interface HttpFlags {
  /** 0 takes a free one. */
  readonly port: number;
  readonly authenticated: boolean;
  readonly allowedHosts: readonly string[];
}

/** Flags, or one sentence on what is wrong with them. */
export type ParsedFlags =
  | { readonly ok: true; readonly value: Flags }
  | { readonly ok: false; readonly problem: string };

const options = {
  root: { type: "string" },
  http: { type: "string" },
  "allow-host": { type: "string", multiple: true },
  "include-tags": { type: "string", multiple: true },
  "exclude-tags": { type: "string", multiple: true },
  "no-auth": { type: "boolean" },
  grants: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

const names = Object.keys(options) as readonly (keyof typeof options)[];

/**
 * Parses the program's arguments.
 *
 * @param args - The arguments.
 * @returns What is asked for; else what is wrong, with the nearest known flag.
 */
export function parseFlags(args: readonly string[]): ParsedFlags {
  const joined = toJoined(args);
  const { values, tokens } = parseArgs({ args: joined, options, strict: false, tokens: true });
  for (const token of tokens) {
    const problem = checkToken(token);
    if (problem !== undefined) return { ok: false, problem };
  }
  if (values.help === true) return { ok: true, value: { kind: "help" } };
  if (values.version === true) return { ok: true, value: { kind: "version" } };
  return toServeFlags(values);
}

/** Joins each value to its flag, so that a value may begin with a dash; but a known flag is never a value. */
function toJoined(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const flag = args[index] ?? "";
    const value = args[index + 1];
    if (!names.some((name) => flag === `--${name}` && options[name].type === "string")) {
      joined.push(flag);
    } else if (value === undefined || names.some((name) => isFlag(value, name))) {
      joined.push(`${flag}=`);
    } else {
      joined.push(`${flag}=${value}`);
      index += 1;
    }
  }
  return joined;
}

function isFlag(text: string, name: string): boolean {
  return text === `--${name}` || text.startsWith(`--${name}=`);
}

type Token = NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number];

function checkToken(token: Token): string | undefined {
  if (token.kind === "positional") return `"${token.value}" is not expected here.`;
  if (token.kind !== "option") return undefined;
  const known = names.find((name) => name === token.name);
  if (known === undefined) {
    const nearest = findNearest(token.name);
    return `Unknown flag ${token.rawName}.${nearest === undefined ? "" : ` Did you mean --${nearest}?`}`;
  }
  const takesValue = options[known].type === "string";
  if (takesValue && (token.value ?? "") === "") return `--${known} needs a value.`;
  if (!takesValue && token.value !== undefined) return `--${known} takes no value.`;
  return undefined;
}

type Values = ReturnType<typeof parseArgs<{ options: typeof options; strict: false }>>["values"];

function toServeFlags(values: Values): ParsedFlags {
  const allowedHosts = toStrings(values["allow-host"]);
  const authenticated = values["no-auth"] !== true;
  const port = values.http === undefined ? undefined : toPort(values.http);
  const grants = values.grants === true;
  const problem = checkHttp({ port, allowedHosts, authenticated, grants });
  if (problem !== undefined) return { ok: false, problem };
  const value: ServeFlags = {
    kind: "serve",
    root: typeof values.root === "string" ? values.root : undefined,
    includeTags: toTags(values["include-tags"]),
    excludeTags: toTags(values["exclude-tags"]),
    http: port === undefined ? undefined : { port, authenticated, allowedHosts },
    grants,
  };
  return { ok: true, value };
}

interface HttpChoice {
  readonly port: number | undefined;
  readonly allowedHosts: readonly string[];
  readonly authenticated: boolean;
  readonly grants: boolean;
}

function checkHttp({ port, allowedHosts, authenticated, grants }: HttpChoice): string | undefined {
  if (Number.isNaN(port)) return "--http needs a port from 0 to 65535; 0 takes a free one.";
  if (port === undefined && !authenticated) return "--no-auth counts only together with --http.";
  if (port === undefined && allowedHosts.length > 0)
    return "--allow-host counts only together with --http.";
  if (port !== undefined && grants) return "--grants counts only over stdio.";
  if (!authenticated && allowedHosts.length > 0)
    return "--no-auth serves loopback only, so it cannot be combined with --allow-host.";
  return undefined;
}

/** The port, or NaN for what is none. */
function toPort(value: unknown): number {
  const text = typeof value === "string" ? value : "";
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return port <= 65_535 ? port : Number.NaN;
}

function toTags(value: unknown): readonly string[] {
  const tags = toStrings(value).flatMap((list) => list.split(","));
  return tags.map((tag) => tag.trim()).filter((tag) => tag !== "");
}

function toStrings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** The flag that takes the fewest changes, when these are few enough for a typing error. */
function findNearest(name: string): string | undefined {
  const ranked = names
    .map((known) => ({ known, distance: toDistance(name, known) }))
    .toSorted((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= 3 ? best.known : undefined;
}

/** How many insertions, deletions and replacements lead from one text to the other. */
function toDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, character] of Array.from(from.slice(0, 40)).entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column += 1)
      next.push(
        Math.min(
          (row[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (row[column - 1] ?? 0) + (to[column - 1] === character ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[to.length] ?? 0;
}
