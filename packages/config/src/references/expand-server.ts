import { toRecord } from "../json/json-node.js";
import type { HttpTransport, ServerEntry, StdioTransport } from "../mcp/server-entry.js";
import {
  checkAddress,
  checkProgramText,
  checkTransport,
  isCredentialed,
} from "./check-references.js";
import { toReferencePieces, type ReferencePiece } from "./env-reference.js";

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What keeps an entry from being connected. Messages name variables, never values. */
export interface ExpansionProblem {
  /** Stable code, for instance `MISSING_VARIABLE`. */
  readonly code: string;
  /** What is wrong and what to do; safe to show. */
  readonly message: string;
}

/** An entry that is ready to connect, or why it is not. */
export type ExpandedServer =
  | {
      readonly ok: true;
      /** Without references and without `tokenEnv`: its token is in the header `authorization`. Holds secrets. */
      readonly entry: ServerEntry;
      /** A credential goes out with each request: only over https or to loopback, and never to another origin. */
      readonly credential: boolean;
    }
  | { readonly ok: false; readonly problems: readonly ExpansionProblem[] };

/**
 * Resolves `{env:NAME}` and `token_env`. Call it just before connecting, and keep the result nowhere.
 *
 * A value stays inside the argument its reference stands in. In the path, query or fragment of a URL it is
 * percent-encoded; in the host it may be only a host and port. A variable that is missing or empty is a problem.
 *
 * @param entry - The entry as read.
 * @param env - The host's own environment.
 * @returns The resolved entry, or every problem. Codes: `MISSING_VARIABLE`, `OPTION_FROM_VARIABLE`, `WRONG_VARIABLE`,
 * and those of an entry's parsing that concern references and addresses.
 */
export function expandServer(entry: ServerEntry, env: Environment): ExpandedServer {
  const { transport } = entry;
  const faults = checkTransport(transport);
  if (faults.length > 0)
    return fail(
      faults.map(({ code, message, path }) => ({
        code,
        message: `${String(path[0])}: ${message}`,
      })),
    );
  const lookUp = createLookUp(env);
  if (transport.kind === "stdio") {
    const expanded = expandStdio(transport, lookUp);
    for (const { code, message } of checkProgramText(transport, expanded))
      lookUp.problem(code, `args: ${message}`);
    if (lookUp.problems.length > 0) return fail(lookUp.problems);
    return Object.freeze({
      ok: true,
      entry: Object.freeze({ ...entry, transport: expanded }),
      credential: false,
    });
  }
  const credential = isCredentialed(transport);
  const expanded = expandHttp(transport, lookUp);
  const address = lookUp.problems.length > 0 ? [] : checkAddress(expanded.url, credential);
  if (lookUp.problems.length + address.length > 0)
    return fail([
      ...lookUp.problems,
      ...address.map(({ code, message }) => ({ code, message: `url: ${message}` })),
    ]);
  return Object.freeze({
    ok: true,
    entry: Object.freeze({ ...entry, transport: expanded }),
    credential,
  });
}

function fail(problems: readonly ExpansionProblem[]): ExpandedServer {
  return Object.freeze({ ok: false, problems: Object.freeze([...problems]) });
}

interface LookUp {
  readonly problems: ExpansionProblem[];
  /** Notes a problem with a variable, once. */
  problem(code: string, message: string): void;
  /** The variable's value; the empty text, and a problem, where there is none. */
  value(name: string): string;
}

function createLookUp(env: Environment): LookUp {
  const problems: ExpansionProblem[] = [];
  const problem = (code: string, message: string): void => {
    if (!problems.some((known) => known.message === message)) problems.push({ code, message });
  };
  return {
    problems,
    problem,
    value: (name) => {
      // Own ones only: `{env:constructor}` names a variable, not a property of every object.
      const value = Object.hasOwn(env, name) ? env[name] : undefined;
      if (typeof value !== "string" || value === "") {
        const state = value === "" ? "empty" : "not set";
        problem(
          "MISSING_VARIABLE",
          `The environment variable ${name} is ${state}. Set it and try again.`,
        );
        return "";
      }
      if (value.includes("\0"))
        problem("WRONG_VARIABLE", `The environment variable ${name} holds a NUL character.`);
      return value;
    },
  };
}

function expandStdio(transport: StdioTransport, lookUp: LookUp): StdioTransport {
  const args = transport.args.map((argument) => {
    const pieces = toReferencePieces(argument);
    const [first] = pieces;
    // A variable's value is data: it may not become an option of the program.
    if (first?.kind === "reference" && lookUp.value(first.name).startsWith("-"))
      lookUp.problem(
        "OPTION_FROM_VARIABLE",
        `The environment variable ${first.name} begins with "-" and would become an option. Write the option's name before it, as in --name={env:${first.name}}.`,
      );
    return join(pieces, (name) => lookUp.value(name));
  });
  return Object.freeze({
    ...transport,
    args: Object.freeze(args),
    env: expandValues(transport.env, (name) => lookUp.value(name)),
  });
}

function expandHttp(
  { kind, url, headers, tokenEnv }: HttpTransport,
  lookUp: LookUp,
): HttpTransport {
  const forHeader = (name: string): string => {
    const value = lookUp.value(name);
    // A line break would begin another header (RFC 9110 section 5.5).
    if (!/^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value))
      lookUp.problem(
        "WRONG_VARIABLE",
        `The environment variable ${name} holds a character that cannot stand in a header, for instance a line break.`,
      );
    return value;
  };
  const token = tokenEnv === undefined ? {} : { authorization: `Bearer ${forHeader(tokenEnv)}` };
  return Object.freeze({
    kind,
    url: expandUrl(url, lookUp),
    headers: toRecord([
      ...Object.entries(expandValues(headers, forHeader)),
      ...Object.entries(token),
    ]),
  });
}

function expandUrl(url: string, lookUp: LookUp): string {
  // Behind the host begins what a value may fill and may not change the form of.
  const origin = /^(?:\{env:[^}]*\}|[^:/?#]*:\/\/)[^/?#\\]*/;
  const path = origin.exec(url)?.[0].length ?? 0;
  const pieces = toReferencePieces(url);
  return pieces
    .map((piece) => {
      if (piece.kind === "text") return piece.text;
      const value = lookUp.value(piece.name);
      if (piece.offset === 0) return value;
      if (piece.offset >= path) return toComponent(value, piece.name, lookUp);
      if (/^[A-Za-z0-9.-]*(?::[0-9]{1,5})?$/.test(value)) return value;
      lookUp.problem(
        "WRONG_VARIABLE",
        `The environment variable ${piece.name} stands in the host of a URL and may hold only a host name and a port.`,
      );
      return value;
    })
    .join("");
}

function toComponent(value: string, name: string, lookUp: LookUp): string {
  // A path of dots would be taken away by whoever reads the URL.
  if (/\p{Surrogate}/u.test(value) || /^\.{1,2}$/.test(value)) {
    lookUp.problem(
      "WRONG_VARIABLE",
      `The environment variable ${name} holds a value that cannot stand in a URL.`,
    );
    return "";
  }
  return encodeURIComponent(value);
}

function expandValues(
  values: Readonly<Record<string, string>>,
  toValue: (name: string) => string,
): Readonly<Record<string, string>> {
  return toRecord(
    Object.entries(values).map(
      ([key, value]) => [key, join(toReferencePieces(value), toValue)] as const,
    ),
  );
}

function join(pieces: readonly ReferencePiece[], toValue: (name: string) => string): string {
  return pieces.map((piece) => (piece.kind === "text" ? piece.text : toValue(piece.name))).join("");
}
