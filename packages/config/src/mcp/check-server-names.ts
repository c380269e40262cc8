import { toQuoted } from "../masking/plain-text.js";
import { nowhere, type Place, type Problem } from "../problem.js";
import { serverNamePattern, serverNameWords } from "./server-shape.js";

/** What of a server counts for its name; a `ServerEntry` is one. */
export interface NamedServer {
  readonly name: string;
  /** As written; absent = the name and `_`. */
  readonly prefix?: string;
  readonly disabled?: boolean;
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
  const problems: Problem[] = [];
  for (const server of servers) {
    const finding = findNameProblem(server, servers);
    if (finding !== undefined)
      problems.push(
        Object.freeze({
          ...(server.at ?? nowhere),
          ...finding,
          severity: "error",
          server: server.name,
        }),
      );
  }
  return Object.freeze(problems);
}

type Finding = Pick<Problem, "code" | "message">;

function findNameProblem(
  server: NamedServer,
  servers: readonly NamedServer[],
): Finding | undefined {
  if (!serverNamePattern.test(server.name))
    return {
      code: "WRONG_NAME",
      message: `${toQuoted(server.name)} cannot be a server's name: expected ${serverNameWords}.`,
    };
  const others = servers.filter((other) => other !== server);
  const named = others.find((other) => isBeginning(server.name, other.name));
  if (named !== undefined) return toClash(server, named, "name");
  if (server.disabled === true) return undefined;
  const rival = others.find((other) => other.disabled !== true && isPrefixClash(server, other));
  return rival === undefined ? undefined : toClash(server, rival, "prefix");
}

function isBeginning(left: string, right: string): boolean {
  return left === right || right.startsWith(`${left}_`) || left.startsWith(`${right}_`);
}

function isPrefixClash(server: NamedServer, other: NamedServer): boolean {
  if (server.prefix === undefined && other.prefix === undefined) return false;
  const own = server.prefix ?? `${server.name}_`;
  const its = other.prefix ?? `${other.name}_`;
  if (its === "" && own !== "") return false;
  return own.startsWith(its) || its.startsWith(own);
}

function toClash(server: NamedServer, other: NamedServer, what: "name" | "prefix"): Finding {
  const message =
    what === "name"
      ? `The servers ${toQuoted(server.name)} and ${toQuoted(other.name)} could give tools the same name (server_tool). Rename one of them.`
      : `The tools of ${toQuoted(server.name)} and ${toQuoted(other.name)} could have the same name by their "prefix". Change it or take it out.`;
  return { code: "SERVER_NAME_CLASH", message };
}
