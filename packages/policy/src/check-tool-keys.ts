import type { Listing } from "@postern/tool";
import { parseToolKey } from "./tool-keys.js";

/** A key that does not mean exactly one tool, and so must grant nothing. */
export interface ToolKeyProblem {
  /** The key, as it was written. */
  readonly key: string;
  /** `matches_nothing`: a typing error, or a server that is away. `matches_two`: say `server/tool` instead. */
  readonly problem: "matches_nothing" | "matches_two";
}

/**
 * Checks that each key means exactly one tool. Leave out the keys that match two before making a rule that grants by
 * them; check again whenever the listings change.
 *
 * @param keys - Exposed names or `server/tool`.
 * @param listings - Everything that is listed, before any rule. Only tools count.
 * @returns One entry per faulty key, in the order of the keys, without repeats.
 */
export function checkToolKeys(
  keys: Iterable<string>,
  listings: readonly Listing[],
): readonly ToolKeyProblem[] {
  const counts = countTools(listings);
  const problems: ToolKeyProblem[] = [];
  for (const key of new Set(keys)) {
    const part = parseToolKey(key);
    const count =
      part === undefined
        ? counts.byName.get(key)
        : counts.byServer.get(part.server)?.get(part.originalName);
    if (count === 1) continue;
    problems.push({ key, problem: count === undefined ? "matches_nothing" : "matches_two" });
  }
  return problems;
}

function countTools(listings: readonly Listing[]) {
  const byName = new Map<string, number>();
  const byServer = new Map<string, Map<string, number>>();
  for (const { kind, server, name, originalName } of listings) {
    if (kind !== "tool") continue;
    byName.set(name, (byName.get(name) ?? 0) + 1);
    const names = byServer.get(server) ?? new Map<string, number>();
    byServer.set(server, names.set(originalName, (names.get(originalName) ?? 0) + 1));
  }
  return { byName, byServer };
}
