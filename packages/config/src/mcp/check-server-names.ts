import { toQuoted } from "../masking/plain-text.js";
import { nowhere, type Place, type Problem } from "../problem.js";
import { serverNamePattern, serverNameWords } from "./server-shape.js";

/** What of a server counts for its name; a `ServerEntry` is one. */
export interface NamedServer {
  /** The server's name, of any form. */
  readonly name: string;
  /** As written; absent = the name and `_`. */
  readonly prefix?: string;
  /** Default false. */
  readonly disabled?: boolean;
  /** Where it is written: the place of its problem. */
  readonly at?: Place;
}

/**
 * Checks that no two servers could give a tool the same shown name.
 *
 * A name that with `_` begins another's, or equals it, is refused, also where one of them is disabled: enabling a server
 * renames nothing. A written prefix is held against the prefixes of the other enabled servers. An empty prefix is for a
 * server that stands alone: among others only it is refused.
 *
 * @param servers - All servers that may stand side by side.
 * @returns A problem for each server that must stay unmounted, named in `server`; its place is the server's `at`.
 */
export function checkServerNames(servers: readonly NamedServer[]): readonly Problem[] {
  const usable = servers.filter(({ name }) => serverNamePattern.test(name));
  const names = createIndex(usable, toNamePrefix);
  const prefixes = createIndex(
    usable.filter(({ disabled }) => disabled !== true),
    toPrefix,
  );
  const problems: Problem[] = [];
  for (const server of servers) {
    const finding = findNameProblem(server, names, prefixes);
    if (finding === undefined) continue;
    const place = server.at ?? nowhere;
    problems.push(Object.freeze({ ...place, ...finding, severity: "error", server: server.name }));
  }
  return Object.freeze(problems);
}

type Finding = Pick<Problem, "code" | "message">;

function findNameProblem(
  server: NamedServer,
  names: ClashIndex,
  prefixes: ClashIndex,
): Finding | undefined {
  if (!serverNamePattern.test(server.name))
    return {
      code: "WRONG_NAME",
      message: `${toQuoted(server.name)} cannot be a server's name: expected ${serverNameWords}.`,
    };
  const named = names.findRival(server);
  if (named !== undefined) return toClash(server, named, "name");
  const rival = server.disabled === true ? undefined : prefixes.findRival(server);
  return rival === undefined ? undefined : toClash(server, rival, "prefix");
}

function toNamePrefix({ name }: NamedServer): string {
  return `${name}_`;
}

function toPrefix(server: NamedServer): string {
  return server.prefix ?? toNamePrefix(server);
}

/** Finds texts of which one begins the other, in time that grows with their number only. */
interface ClashIndex {
  findRival(server: NamedServer): NamedServer | undefined;
}

function createIndex(
  servers: readonly NamedServer[],
  toText: (server: NamedServer) => string,
): ClashIndex {
  const whole = new Map<string, NamedServer[]>();
  const begun = new Map<string, NamedServer>();
  for (const server of servers) {
    const text = toText(server);
    whole.set(text, [...(whole.get(text) ?? []).slice(0, 1), server]);
    for (let end = 0; end < text.length; end++) begun.set(text.slice(0, end), server);
  }
  return {
    findRival: (server) => {
      const text = toText(server);
      const same = whole.get(text)?.find((other) => other !== server);
      if (same !== undefined) return same;
      // From 1: an empty prefix among others is the fault of the server that has it.
      for (let end = 1; end < text.length; end++) {
        const shorter = whole.get(text.slice(0, end))?.[0];
        if (shorter !== undefined) return shorter;
      }
      return begun.get(text);
    },
  };
}

function toClash(server: NamedServer, other: NamedServer, what: "name" | "prefix"): Finding {
  const message =
    what === "name"
      ? `The servers ${toQuoted(server.name)} and ${toQuoted(other.name)} could give tools the same name (server_tool). Rename one of them.`
      : `The tools of ${toQuoted(server.name)} and ${toQuoted(other.name)} could have the same name by their "prefix". Change it or take it out.`;
  return { code: "SERVER_NAME_CLASH", message };
}
